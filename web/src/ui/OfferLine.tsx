import { BellRing } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/Button.tsx";
import styles from "#ui/OfferLine.module.css";

interface OfferLineProps {
  /** The state of the stored request as text; null without a request. */
  text: string | null;
  action: string;
  isBusy: boolean;
  press: () => void;
}

/**
 * Offers a notification beside what is not available now; or shows the state of that request with a way to cancel it.
 */
export function OfferLine({ text, action, isBusy, press }: OfferLineProps): ReactNode {
  const icon = <BellRing size={16} aria-hidden="true" />;
  return (
    <p className={styles.line}>
      {text !== null && <span>{text}</span>}
      <Button
        kind={text === null ? "outline" : "plain"}
        size="small"
        pill
        loading={isBusy}
        icon={text === null && icon}
        onClick={press}
      >
        {action}
      </Button>
    </p>
  );
}
