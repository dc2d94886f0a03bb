import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import type { Order, OrderState } from "@fava/wire/endpoints/shop.ts";
import { formatBeans, formatMoney, isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useSettings } from "#lib/settings.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { OrderTrouble } from "./OrderTrouble.tsx";
import { useChosenOrder } from "./chosen-order.ts";
import styles from "./Beans.module.css";

const states: Readonly<Partial<Record<OrderState, Key>>> = {
  paid: "receipt.state.paid",
  refunded: "receipt.state.refunded",
  disputed: "receipt.state.disputed",
  charged_back: "receipt.state.charged_back",
};

/** One purchase on one sheet of paper: number, date, price, beans and seller (rule BEANS-367). */
export function ReceiptSheet(): ReactNode {
  const t = useT();
  const { data: order, isError, refetch } = useChosenOrder();
  return (
    <Sheet
      widthPx={520}
      title={t("receipt.title")}
      onClose={() => closeOverlay("receipt")}
      foot={
        <Button
          kind="ink"
          block
          disabled={!order}
          icon={<Printer size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t("receipt.print")}
        </Button>
      }
    >
      {order ? <Receipt order={order} /> : <OrderTrouble failed={isError} onRetry={refetch} />}
    </Sheet>
  );
}

function Receipt({ order }: { order: Order }): ReactNode {
  const t = useT();
  return (
    <div className={styles.receipt}>
      <dl className={styles.facts}>
        <Fact name="pay.orderNumber">
          <bdi dir="ltr">{order.order_no}</bdi>
        </Fact>
        <Fact name="receipt.date">{formatTime(order.paid_at ?? order.created_at)}</Fact>
        <Fact name="receipt.price">{formatMoney(order.price_minor, order.currency_code)}</Fact>
        <Fact name="receipt.beans">{formatBeans(order.beans)}</Fact>
        <Fact name="pay.paidWith">{isolate(order.pay_name)}</Fact>
        <Fact name="receipt.state">{t(states[order.state] ?? "receipt.state.other")}</Fact>
      </dl>
      <Seller />
    </div>
  );
}

function Fact({ name, children }: { name: Key; children: ReactNode }): ReactNode {
  const t = useT();
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Seller(): ReactNode {
  const t = useT();
  const contact = useSettings()?.contact;
  if (!contact) return null;
  return (
    <section className={styles.seller} aria-label={t("receipt.seller")}>
      <h3>{t("receipt.seller")}</h3>
      <address>
        {[contact.company, ...contact.address.split("\n"), contact.email, contact.phone]
          .filter((line) => line.trim() !== "")
          .map((line) => (
            <bdi key={line}>{line}</bdi>
          ))}
      </address>
    </section>
  );
}
