import type { ReactNode } from "react";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { usePrices } from "#lib/prices.ts";
import { useUser } from "#lib/session.ts";
import { useWallet, type Wallet } from "#lib/wallet.ts";
import { Button } from "#ui/Button.tsx";
import styles from "./StatementTop.module.css";

/** What there is, what is owed, and the day's cap. */
export function StatementTop(): ReactNode {
  const t = useT();
  const prices = usePrices();
  const wallet = useWallet();
  const balance = useUser()?.credit5 ?? 0;
  const debt = wallet?.debt ?? 0;
  return (
    <div className={styles.top}>
      <section className={styles.gold} aria-label={t("statement.balance")}>
        <p>
          <b>{formatBeans(balance)}</b>
          <small>{t("statement.worth", { money: prices.inMoney(balance) })}</small>
        </p>
        <Button kind="ink" size="small" pill onClick={() => void openOverlay("shop")}>
          {t("beans.get")}
        </Button>
        {debt > 0 && <p className={styles.debt}>{t("statement.debt", { count: formatBeans(debt) })}</p>}
      </section>
      <section className={styles.cap} aria-label={t("statement.cap")}>
        <div>
          <b>{t("statement.cap")}</b>
          <Button kind="plain" size="small" onClick={() => void openOverlay("cap")}>
            {t("statement.change")}
          </Button>
        </div>
        {wallet && <CapUse cap={wallet.cap} />}
      </section>
    </div>
  );
}

function CapUse({ cap }: { cap: Wallet["cap"] }): ReactNode {
  const t = useT();
  const { beans, spent_today } = cap;
  const spent = formatBeans(spent_today);
  if (beans === null) return <small>{t("statement.capNone", { spent })}</small>;
  return (
    <>
      <meter aria-label={t("meter.spentToday")} min={0} max={Math.max(1, beans)} value={Math.min(spent_today, beans)} />
      <small>{t("statement.capUsed", { spent, cap: formatBeans(beans) })}</small>
    </>
  );
}
