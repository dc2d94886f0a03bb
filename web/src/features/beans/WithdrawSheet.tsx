import { Undo2 } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { type Order, orderWithdraw } from "@fava/wire/endpoints/shop.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans, formatMoney, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointMutation } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { Note } from "#ui/Note.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { OrderTrouble } from "./OrderTrouble.tsx";
import { useChosenOrder, withdrawProblem } from "./chosen-order.ts";
import { refreshWallet } from "./wallet.ts";

/** The question before a refund: names money, beans and the balance after it. */
export function WithdrawSheet(): ReactNode {
  const t = useT();
  const { data: order, isError, refetch } = useChosenOrder();
  const userId = useUser()?.user_id;
  const withdrawal = useEndpointMutation(orderWithdraw, {
    onSuccess() {
      if (order) showToast({ type: "success", text: t("withdraw.done", { money: moneyOf(order) }) });
      refreshWallet();
      closeOverlay("withdraw", "done");
    },
  });
  const keep = useRef<HTMLButtonElement>(null);
  const isGone = order !== undefined && order.withdraw_until === null;
  const close = () => closeOverlay("withdraw");
  const withdraw = () =>
    userId !== undefined && order && withdrawal.mutate({ user_id: userId, order_no: order.order_no });
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
            loading={withdrawal.isPending}
            onClick={withdraw}
          >
            {t("withdraw.go")}
          </Button>
          <Button ref={keep} block onClick={close}>
            {t("withdraw.keep")}
          </Button>
        </>
      }
    >
      {order ? <OrderFacts order={order} /> : <OrderTrouble failed={isError} onRetry={refetch} />}
      <Note tone="danger" role="alert">
        {isGone ? t("withdraw.gone") : withdrawal.error && t(withdrawProblem(withdrawal.error))}
      </Note>
    </Sheet>
  );
}

function OrderFacts({ order }: { order: Order }): ReactNode {
  const t = useT();
  return (
    <Facts>
      <Fact name={t("pay.orderNumber")}>
        <bdi dir="ltr" translate="no">
          {order.order_no}
        </bdi>
      </Fact>
      <Fact name={t("withdraw.taken")}>
        <bdi dir="ltr" translate="no">
          −{formatBeans(order.beans)}
        </bdi>
      </Fact>
      <Fact name={t("withdraw.after")}>
        <bdi dir="ltr" translate="no">
          {formatBeans(Math.max(0, order.balance - order.beans))}
        </bdi>
      </Fact>
      {order.withdraw_until !== null && <Fact name={t("withdraw.lastDay")}>{formatTime(order.withdraw_until)}</Fact>}
    </Facts>
  );
}

function moneyOf(order: Order): string {
  return formatMoney(order.price_minor, order.currency_code);
}
