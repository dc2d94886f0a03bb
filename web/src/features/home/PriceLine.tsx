import type { ReactNode } from "react";
import { formatBeans, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { usePrices } from "#lib/prices.ts";
import { useUser } from "#lib/session.ts";
import { useWish } from "#lib/wish.ts";
import { Bean } from "#ui/Bean.tsx";
import styles from "./PriceLine.module.css";

/** What the chosen filters cost a minute, in beans and in money, and how long the balance lasts (rule HOME-3). */
export function PriceLine(): ReactNode {
  const t = useT();
  const prices = usePrices();
  const price = prices.of(useWish());
  // The dearest wish holds the room, so that nothing above moves when a filter is chosen (rule HOME-12).
  const dearest = Math.max(prices.gender, prices.country, prices.both);
  return (
    <div className={styles.line}>
      {price === 0 ? <p className={styles.free}>{t("home.free")}</p> : <Sum price={price} />}
      {dearest > 0 && (
        <div className={styles.room} aria-hidden="true">
          <Sum price={dearest} />
        </div>
      )}
    </div>
  );
}

function Sum({ price }: { price: number }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const balance = useUser()?.credit5 ?? null;
  const minutes = balance === null ? null : Math.floor(balance / price);
  return (
    <div className={styles.sum}>
      <dl>
        <div>
          <dt>{t("price.perMinute")}</dt>
          <dd>
            <Bean size={18} />
            {formatBeans(price)}
            <small>{t("price.about", { money: prices.inMoney(price) })}</small>
          </dd>
        </div>
      </dl>
      <p data-short={minutes === 0 || undefined}>
        {minutes !== null && minutes > 0 && `${t("price.lasts", { n: minutes, count: formatNumber(minutes) })} `}
        {minutes === 0 && `${t("price.short")} `}
        {t("price.searching")}
      </p>
    </div>
  );
}
