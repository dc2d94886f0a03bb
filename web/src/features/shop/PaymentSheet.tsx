import { type ReactNode, useEffect, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { CancelQuestion } from "./CancelQuestion.tsx";
import { endView } from "./EndView.tsx";
import { PayBody, PayFoot } from "./PayView.tsx";
import { payments, usePayment } from "./payment.ts";
import type { PaymentState } from "./payment-state.ts";
import { WaitingBody, WaitingFoot, WindowArt } from "./WaitingView.tsx";

/** One payment: method, waiting, cancelling, and how it ended (specification section 2). */
export function PaymentSheet(): ReactNode {
  const t = useT();
  const payment = usePayment();
  // While it slides away there is nothing to pay any more.
  const [shown, setShown] = useState<PaymentState>(payment);
  if (payment.name !== "idle" && payment !== shown) setShown(payment);
  useEffect(() => {
    if (payment.name === "idle") closeOverlay("payment");
  }, [payment.name]);
  const view = viewOf(shown, t);
  return view && <Sheet {...view} onClose={leave} />;
}

/** Closing is not cancelling: a payment that waits goes on (rule BEANS-312). */
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
