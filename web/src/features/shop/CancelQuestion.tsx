import { type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { payments } from "./payment.ts";

/** "Are you sure you want to cancel your payment?"; the safe answer has the focus (rule BEANS-315). */
export function CancelQuestion(): ReactNode {
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
