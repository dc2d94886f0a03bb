import { Undo2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { type Order, orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { call } from "#lib/api/call.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans, formatMoney, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { refreshWallet } from "#lib/wallet.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { OrderTrouble } from "./OrderTrouble.tsx";
import { chosenOrder, useOrder } from "./use-order.ts";
import styles from "./Beans.module.css";

/** The question before a purchase goes back: names money, beans and the balance after (rule BEANS-365). */
export function WithdrawSheet(): ReactNode {
  const t = useT();
  const [orderNo] = useState(chosenOrder);
  const { state, retry } = useOrder(orderNo);
  const { problem, withdrawing, withdraw } = useWithdrawal();
  const keep = useRef<HTMLButtonElement>(null);
  const order = state.status === "ready" ? state.order : null;
  const isGone = order !== null && order.withdraw_until === null;
  const close = () => closeOverlay("withdraw");
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("withdraw.title")}
      lead={order && !isGone && t("withdraw.text", { money: moneyOf(order), method: isolate(order.pay_name) })}
      initialFocus={keep}
      onClose={close}
      foot={
        <>
          <Button
            kind="ink"
            block
            icon={<Undo2 size={18} className="flip" aria-hidden="true" />}
            disabled={!order || isGone}
            loading={withdrawing}
            onClick={() => order && void withdraw(order)}
          >
            {t("withdraw.go")}
          </Button>
          <Button ref={keep} block onClick={close}>
            {t("withdraw.keep")}
          </Button>
        </>
      }
    >
      {order ? <Facts order={order} /> : <OrderTrouble failed={state.status === "failed"} onRetry={retry} />}
      <p className={styles.problem} role="alert">
        {isGone ? t("withdraw.gone") : problem && t(problem)}
      </p>
    </Sheet>
  );
}

function Facts({ order }: { order: Order }): ReactNode {
  const t = useT();
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t("pay.orderNumber")}</dt>
        <dd>
          <bdi dir="ltr">{order.order_no}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t("withdraw.taken")}</dt>
        <dd>
          <bdi dir="ltr">−{formatBeans(order.beans)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t("withdraw.after")}</dt>
        <dd>
          <bdi dir="ltr">{formatBeans(Math.max(0, order.balance - order.beans))}</bdi>
        </dd>
      </div>
      {order.withdraw_until !== null && (
        <div>
          <dt>{t("withdraw.lastDay")}</dt>
          <dd>{formatTime(order.withdraw_until)}</dd>
        </div>
      )}
    </dl>
  );
}

function useWithdrawal(): {
  problem: Key | null;
  withdrawing: boolean;
  withdraw: (order: Order) => Promise<void>;
} {
  const t = useT();
  const userId = useUser()?.user_id;
  const [problem, setProblem] = useState<Key | null>(null);
  const [withdrawing, setWithdrawing] = useState(false);
  return {
    problem,
    withdrawing,
    withdraw: async (order) => {
      if (userId === undefined) return;
      setProblem(null);
      setWithdrawing(true);
      try {
        await call(orderWithdraw, { user_id: userId, order_no: order.order_no }, { quiet: true });
        showToast({ type: "success", text: t("withdraw.done", { money: moneyOf(order) }) });
        refreshWallet();
        closeOverlay("withdraw", "done");
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        setProblem(problemOf(error));
      } finally {
        setWithdrawing(false);
      }
    },
  };
}

function moneyOf(order: Order): string {
  return formatMoney(order.price_minor, order.currency_code);
}

/** Why a withdrawal did not come about. Silence is not a no: the refund may be on its way (rule BEANS-366). */
export function problemOf({ code, reason }: Pick<CallFailure, "code" | "reason">): Key {
  if (code === codes.refused && reason === "refund_failed") return "withdraw.refused";
  if (code === codes.refused || code === codes.badInput) return "withdraw.gone";
  return code === codes.slowDown ? "withdraw.slow" : "withdraw.silence";
}
