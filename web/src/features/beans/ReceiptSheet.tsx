import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import type { Order, OrderState } from "@fava/wire/endpoints/shop.ts";
import { formatBeans, formatMoney, isolate } from "#lib/format.ts";
import { formatTime } from "#lib/format-date.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useSettings } from "#lib/settings.ts";
import { Button } from "#ui/Button.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
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

/** The receipt of one purchase, on one page: number, date, price, beans and seller. */
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
      <Facts>
        <Fact name={t("pay.orderNumber")}>
          <bdi dir="ltr" translate="no">
            {order.order_no}
          </bdi>
        </Fact>
        <Fact name={t("receipt.date")}>{formatTime(order.paid_at ?? order.created_at)}</Fact>
        <Fact name={t("receipt.price")}>{formatMoney(order.price_minor, order.currency_code)}</Fact>
        <Fact name={t("receipt.beans")}>{formatBeans(order.beans)}</Fact>
        <Fact name={t("pay.paidWith")}>{isolate(order.pay_name)}</Fact>
        <Fact name={t("receipt.state")}>{t(states[order.state] ?? "receipt.state.other")}</Fact>
      </Facts>
      <Seller />
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
