import { BellRing } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/Button.tsx";
import styles from "#ui/OfferLine.module.css";

interface OfferLineProps {
  /** How it stands; null: nothing was pressed so far. */
  text: string | null;
  /** What can be pressed. */
  action: string;
  isBusy: boolean;
  press: () => void;
}

/** Something to be told of later, offered beside what cannot be had now; or how that stands, and the way back. */
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
