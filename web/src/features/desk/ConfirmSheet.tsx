import { type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";

/** Asks once more before something that cannot be undone; the safe answer has the focus. */
export function ConfirmSheet(props: {
  title: string;
  lead: string;
  yes: string;
  children?: ReactNode;
  onYes: () => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const cancel = useRef<HTMLButtonElement>(null);
  const yes = () => {
    props.onYes();
    props.onClose();
  };
  return (
    <Sheet
      alert
      row
      title={props.title}
      lead={props.lead}
      initialFocus={cancel}
      onClose={props.onClose}
      foot={
        <>
          <Button ref={cancel} kind="plain" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          <Button kind="danger" onClick={yes}>
            {props.yes}
          </Button>
        </>
      }
    >
      {props.children}
    </Sheet>
  );
}
