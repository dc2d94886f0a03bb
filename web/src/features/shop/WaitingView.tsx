import { ExternalLink, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { Note } from "#ui/Note.tsx";
import { OrderNumber } from "./OrderFacts.tsx";
import { payments } from "./payment.ts";
import type { Waiting } from "./payment-machine.ts";
import styles from "./Shop.module.css";

/** The user pays in another window; this one polls the order, or checks it on a press. */
export function WaitingBody({ payment }: { payment: Waiting }): ReactNode {
  const t = useT();
  const { purchase, link, check } = payment;
  return (
    <>
      {payment.isBlocked && (
        <Note tone="danger" role="alert" icon={<TriangleAlert size={18} />}>
          {t("pay.blocked")}
        </Note>
      )}
      <Facts className={styles.facts}>
        <Fact name={t("pay.beans")}>
          <Bean size={16} />
          {formatBeans(purchase.beans)}
        </Fact>
        <Fact name={t("pay.price")}>{formatMoney(purchase.priceMinor, purchase.currencyCode)}</Fact>
        <Fact name={t("pay.order")}>
          <OrderNumber orderNo={link.orderNo} />
        </Fact>
      </Facts>
      <p className={styles.said} role="status">
        {check === "not-yet" ? t("pay.notYet") : check === "silence" && t("pay.checkSilence")}
      </p>
    </>
  );
}

export function WaitingFoot({ payment }: { payment: Waiting }): ReactNode {
  const t = useT();
  const icon = <ExternalLink size={18} className="flip" aria-hidden="true" />;
  return (
    <>
      {payment.isBlocked ? (
        <a className={buttonClass({ kind: "ink", block: true })} href={payment.link.url} target="_blank" rel="noopener">
          {t("pay.openLink")}
          {icon}
        </a>
      ) : (
        payment.link.url !== "" && (
          <Button kind="ink" block onClick={() => payments.showWindow()}>
            {t("pay.showAgain")}
            {icon}
          </Button>
        )
      )}
      <Button block loading={payment.check === "asking"} onClick={() => payments.dispatch({ type: "check-now" })}>
        {t("pay.check")}
      </Button>
      <Button kind="plain" block onClick={() => payments.dispatch({ type: "ask-cancel" })}>
        {t("pay.cancel")}
      </Button>
    </>
  );
}

/** A drawing of two windows. */
export function WindowArt(): ReactNode {
  return (
    <svg className={styles.windows} viewBox="0 0 168 112" fill="none" aria-hidden="true">
      <rect x="1" y="1" width="132" height="88" rx="14" fill="var(--surface-2)" stroke="var(--line)" strokeWidth="2" />
      <g stroke="var(--line-strong)" strokeWidth="2">
        <rect x="36" y="24" width="131" height="87" rx="14" fill="var(--surface-1)" />
        <path d="M36 44h131" />
      </g>
      <circle cx="49" cy="34" r="3" fill="var(--line-strong)" />
      <circle cx="59" cy="34" r="3" fill="var(--line-strong)" />
      <rect x="54" y="58" width="96" height="8" rx="4" fill="var(--surface-3)" />
      <rect x="54" y="58" width="34" height="8" rx="4" fill="var(--bean)" className={styles.progress} />
      <rect x="54" y="80" width="56" height="14" rx="7" fill="var(--text)" />
    </svg>
  );
}
