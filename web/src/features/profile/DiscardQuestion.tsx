import { type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";

/** Asks before unsaved changes are lost; the safe answer has the focus (rule USER-61). */
export function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }): ReactNode {
  const t = useT();
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("profile.discardTitle")}
      lead={t("profile.discardText")}
      initialFocus={keep}
      onClose={onKeep}
      foot={
        <>
          <Button ref={keep} kind="ink" block onClick={onKeep}>
            {t("profile.keepEditing")}
          </Button>
          <Button block onClick={onDiscard}>
            {t("profile.discard")}
          </Button>
        </>
      }
    />
  );
}
