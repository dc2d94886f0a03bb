import { BadgeCheck, Copy } from "lucide-react";
import type { ReactNode } from "react";
import type { Order } from "@fava/wire/endpoints/shop.ts";
import { formatDay } from "#lib/format-date.ts";
import { formatBeans, formatMoney, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useCountUp } from "#lib/use-count-up.ts";
import { Bean } from "#ui/Bean.tsx";
import { BeanHeap } from "#ui/BeanHeap.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Note } from "#ui/Note.tsx";
import { copyText } from "#ui/copy-text.ts";
import { heapOf } from "./offer.ts";
import styles from "./Shop.module.css";

/** Price, beans and order number of a purchase. */
export function OrderFacts({ order }: { order: Order }): ReactNode {
  const t = useT();
  return (
    <Facts className={styles.facts}>
      <Fact name={t("pay.purchasePrice")}>{formatMoney(order.price_minor, order.currency_code)}</Fact>
      <Fact name={t("pay.beans")}>
        <Bean size={16} />
        <bdi dir="ltr" translate="no">
          +{formatBeans(order.beans)}
        </bdi>
      </Fact>
      <Fact name={t("pay.orderNumber")}>
        <OrderNumber orderNo={order.order_no} />
      </Fact>
      <Fact name={t("pay.paidWith")}>{isolate(order.pay_name)}</Fact>
    </Facts>
  );
}

/** The last day on which an unused purchase can be withdrawn. */
export function WithdrawNote({ until }: { until: number | null }): ReactNode {
  const t = useT();
  if (until === null) return null;
  const day = new Date(until).toISOString().slice(0, 10);
  return <Note icon={<BadgeCheck size={18} />}>{t("pay.withdrawUntil", { day: formatDay(day) })}</Note>;
}

/** A press copies it, with a success toast or "error". */
export function OrderNumber({ orderNo }: { orderNo: string }): ReactNode {
  const t = useT();
  return (
    <span className={styles.number}>
      <bdi dir="ltr" translate="no">
        {orderNo}
      </bdi>
      <IconButton
        label={t("pay.copyOrder")}
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => void copyText(t, orderNo)}
      />
    </span>
  );
}

/** "Will soon be added" until the balance is loaded; then the new balance. */
export function AddedLine({ balance }: { balance: number | null }): ReactNode {
  const t = useT();
  return (
    <span role="status">{balance === null ? t("pay.soon") : t("pay.added", { count: formatBeans(balance) })}</span>
  );
}

/** The heap of bought beans on gold, and below it the balance, which counts up to the new one; null until it is known. */
export function GoldHeap({ beans, balance }: { beans: number; balance: number | null }): ReactNode {
  const shown = useCountUp(balance ?? 0, { from: Math.max(0, (balance ?? 0) - beans) });
  return (
    <span className={styles.gold} aria-hidden="true">
      <span>
        <BeanHeap size={heapOf(beans)} />
      </span>
      {balance !== null && <b translate="no">{formatBeans(shown)}</b>}
    </span>
  );
}
