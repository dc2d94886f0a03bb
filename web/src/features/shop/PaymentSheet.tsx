import { CircleSlash, ExternalLink, SearchCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { type Key, type Translate, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { BeanHeap } from "#ui/BeanHeap.tsx";
import { Button } from "#ui/Button.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { Methods } from "./Methods.tsx";
import { AddedLine, GoldHeap, OrderFacts, OrderNumber, WithdrawNote } from "./OrderFacts.tsx";
import { useTimeOf } from "./PackOption.tsx";
import { WaitingBody, WaitingFoot, WindowArt } from "./WaitingView.tsx";
import type { Purchase } from "./gateway.ts";
import { heapOf } from "./offer.ts";
import type { PaymentState, PayProblem } from "./payment-machine.ts";
import { payments, usePayment } from "./payment.ts";
import styles from "./Shop.module.css";

/** One payment: method, waiting, cancelling, and the result. */
export function PaymentSheet(): ReactNode {
  const t = useT();
  const payment = usePayment();
  // Keeps the last state during the closing animation.
  const [shown, setShown] = useState<PaymentState>(payment);
  if (payment.name !== "idle" && payment !== shown) setShown(payment);
  useEffect(() => {
    if (payment.name === "idle") closeOverlay("payment");
  }, [payment.name]);
  const view = viewOf(shown, t);
  return view && <Sheet {...view} onClose={leave} />;
}

/** Closing is not cancelling: a waiting payment continues. */
function leave(): void {
  closeOverlay("payment");
  payments.dispatch({ type: "done" });
}

function back(): void {
  void openOverlay("shop");
  closeOverlay("payment");
}

function viewOf(payment: PaymentState, t: ReturnType<typeof useT>): SheetProps | null {
  switch (payment.name) {
    case "idle":
      return null;
    case "pay":
    case "opening":
      return {
        title: t("pay.title"),
        widthPx: 560,
        ...(payment.name === "pay" && { onBack: back }),
        children: <PayBody payment={payment} />,
        foot: <PayFoot payment={payment} />,
      };
    case "waiting":
      return {
        title: t("pay.waitTitle"),
        lead: t("pay.waitText"),
        widthPx: 480,
        centre: true,
        art: <WindowArt />,
        children: (
          <>
            <WaitingBody payment={payment} />
            {payment.isCancelling && <CancelQuestion />}
          </>
        ),
        foot: <WaitingFoot payment={payment} />,
      };
    case "complete":
    case "failed":
    case "review":
      return endView(payment, { t, onDone: leave });
  }
}

/** "Are you sure you want to cancel your payment?"; the safe answer has the focus. */
function CancelQuestion(): ReactNode {
  const t = useT();
  const keep = useRef<HTMLButtonElement>(null);
  const keepWaiting = () => payments.dispatch({ type: "keep-waiting" });
  function cancel(): void {
    payments.dispatch({ type: "cancel" });
    showToast({ text: t("pay.toastCancelled") });
  }
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("pay.cancelTitle")}
      lead={t("pay.cancelText")}
      initialFocus={keep}
      onClose={keepWaiting}
      foot={
        <>
          <Button ref={keep} kind="ink" block onClick={keepWaiting}>
            {t("pay.keep")}
          </Button>
          <Button block onClick={cancel}>
            {t("pay.cancel")}
          </Button>
        </>
      }
    />
  );
}

type Ended = Extract<PaymentState, { name: "complete" | "failed" | "review" }>;

/** The result of a payment, and what the user can do. */
function endView(payment: Ended, { t, onDone }: { t: Translate; onDone: () => void }): SheetProps {
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
        art: <GoldHeap beans={order.beans} balance={payment.balance} />,
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
          <Facts className={styles.facts}>
            <Fact name={t("pay.orderNumber")}>
              <OrderNumber orderNo={order.order_no} />
            </Fact>
          </Facts>
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

/** The purchase and its payment method; the payment window opens in the press on the button below. */
function PayBody({ payment }: { payment: Paying }): ReactNode {
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
        <Note tone="danger" role="alert" icon={<TriangleAlert size={18} />}>
          {t(problemTexts[payment.problem])}
        </Note>
      )}
      <p className={styles.small}>{t("pay.secure")}</p>
    </>
  );
}

function PayFoot({ payment }: { payment: Paying }): ReactNode {
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
      <BeanHeap size={heapOf(purchase.beans)} />
      <span className={styles.what}>
        <b>{t("home.beans", { n: purchase.beans, count: formatBeans(purchase.beans) })}</b>
        {time !== null && <small>{t("pay.time", { time })}</small>}
      </span>
      <span className={styles.price}>
        <b translate="no">{formatMoney(purchase.priceMinor, purchase.currencyCode)}</b>
      </span>
    </div>
  );
}
