import { ExternalLink, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatBeans, formatMoney } from "#lib/format.ts";
import type { Purchase } from "#lib/gateway.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Methods } from "./Methods.tsx";
import { useTimeOf } from "./PackOption.tsx";
import { payments } from "./payment.ts";
import type { PaymentState, PayProblem } from "./payment-state.ts";
import { Pile } from "./Pile.tsx";
import payStyles from "./Payment.module.css";
import styles from "./Packs.module.css";

type Paying = Extract<PaymentState, { name: "pay" | "opening" }>;

const problemTexts: Readonly<Record<PayProblem, Key>> = {
  bad_request: "pay.problem.provider",
  bad_token: "pay.problem.provider",
  unknown_pack: "pay.problem.changed",
  wrong_amount: "pay.problem.changed",
  bad_return: "pay.problem.provider",
  unknown_method: "pay.problem.method",
  slow_down: "pay.problem.slow",
  provider_failed: "pay.problem.provider",
  silence: "pay.checkSilence",
};

/** What is bought, and how it is paid; the window opens in the press on the button below. */
export function PayBody({ payment }: { payment: Paying }): ReactNode {
  const t = useT();
  const { choice } = payment;
  return (
    <>
      <Summary purchase={choice.purchase} />
      <Methods
        methods={choice.methods}
        method={choice.method}
        disabled={payment.name === "opening"}
        onPick={(method) => payments.dispatch({ type: "method", method })}
      />
      {payment.name === "pay" && payment.problem !== null && (
        <p className={payStyles.problem} role="alert">
          <TriangleAlert size={18} aria-hidden="true" />
          {t(problemTexts[payment.problem])}
        </p>
      )}
      <p className={payStyles.small}>{t("pay.secure")}</p>
    </>
  );
}

export function PayFoot({ payment }: { payment: Paying }): ReactNode {
  const t = useT();
  const { purchase, method, methods } = payment.choice;
  const isReady = method !== null;
  return (
    <Button kind="ink" block disabled={!isReady} loading={payment.name === "opening"} onClick={() => payments.pay()}>
      {isReady || methods.length === 0
        ? t("pay.go", { money: formatMoney(purchase.priceMinor, purchase.currencyCode) })
        : t("pay.chooseMethod")}
      {isReady && <ExternalLink size={18} className="flip" aria-hidden="true" />}
    </Button>
  );
}

function Summary({ purchase }: { purchase: Purchase }): ReactNode {
  const t = useT();
  const time = useTimeOf(purchase.beans);
  return (
    <div className={styles.summary}>
      <Pile count={2} />
      <span className={styles.what}>
        <b>{t("home.beans", { n: purchase.beans, count: formatBeans(purchase.beans) })}</b>
        {time !== null && <small>{t("pay.time", { time })}</small>}
      </span>
      <span className={styles.price}>
        <b>{formatMoney(purchase.priceMinor, purchase.currencyCode)}</b>
      </span>
    </div>
  );
}
