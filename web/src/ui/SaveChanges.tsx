import { type ReactNode, useId } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import styles from "#ui/SaveChanges.module.css";

interface SaveChangesProps {
  /** Why the button does nothing, or the result of the last press; may be empty. */
  readonly why: string;
  readonly isWrong: boolean;
  readonly isOff: boolean;
  readonly isSaving: boolean;
  readonly onPress: (button: HTMLButtonElement) => void;
}

/** The save button, and beside it why it does nothing. */
export function SaveChanges({ why, isWrong, isOff, isSaving, onPress }: SaveChangesProps): ReactNode {
  const t = useT();
  const id = useId();
  return (
    <>
      <p id={id} className={styles.why} data-wrong={isWrong ? "" : undefined} role="status">
        {why}
      </p>
      <Button
        kind="ink"
        aria-disabled={isOff}
        aria-describedby={id}
        loading={isSaving}
        onClick={(event) => onPress(event.currentTarget)}
      >
        {t("profile.save")}
      </Button>
    </>
  );
}
