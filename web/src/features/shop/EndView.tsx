import { CircleSlash, SearchCheck } from "lucide-react";
import type { Translate } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { Button } from "#ui/Button.tsx";
import type { SheetProps } from "#ui/Sheet.tsx";
import { AddedLine, GoldPile } from "./CompleteWords.tsx";
import { OrderFacts, OrderNumber, WithdrawNote } from "./OrderFacts.tsx";
import { payments } from "./payment.ts";
import type { PaymentState } from "./payment-state.ts";
import styles from "./Payment.module.css";

type Ended = Extract<PaymentState, { name: "complete" | "failed" | "review" }>;

/** How a payment ended, and what there is to do now. */
export function endView(payment: Ended, { t, onDone }: { t: Translate; onDone: () => void }): SheetProps {
  const { order } = payment;
  const done = (
    <Button kind={payment.name === "complete" ? "ink" : "quiet"} onClick={onDone}>
      {t("pay.done")}
    </Button>
  );
  switch (payment.name) {
    case "complete":
      return {
        title: t("pay.completeTitle"),
        lead: <AddedLine balance={payment.balance} />,
        widthPx: 480,
        centre: true,
        art: <GoldPile />,
        children: (
          <>
            <OrderFacts order={order} />
            <WithdrawNote until={order.withdraw_until} />
          </>
        ),
        row: true,
        foot: (
          <>
            <Button onClick={() => void openOverlay("statement")}>{t("shop.statement")}</Button>
            {done}
          </>
        ),
      };
    case "failed": {
      const isExpired = order.state === "expired";
      return {
        title: t(isExpired ? "pay.expiredTitle" : "pay.failedTitle"),
        lead: t(isExpired ? "pay.expiredText" : "pay.failedText"),
        widthPx: 440,
        art: <CircleSlash size={36} aria-hidden="true" />,
        row: true,
        foot: (
          <>
            {done}
            {payment.choice && (
              <Button kind="ink" onClick={() => payments.dispatch({ type: "again" })}>
                {t("common.retry")}
              </Button>
            )}
          </>
        ),
      };
    }
    case "review":
      return {
        title: t("pay.reviewTitle"),
        lead: t("pay.reviewText"),
        widthPx: 480,
        art: <SearchCheck size={36} aria-hidden="true" />,
        children: (
          <dl className={styles.facts}>
            <div>
              <dt>{t("pay.orderNumber")}</dt>
              <dd>
                <OrderNumber orderNo={order.order_no} />
              </dd>
            </div>
          </dl>
        ),
        row: true,
        foot: (
          <>
            <Button onClick={() => void openOverlay("contact")}>{t("login.contact")}</Button>
            <Button kind="ink" onClick={onDone}>
              {t("pay.done")}
            </Button>
          </>
        ),
      };
  }
}
