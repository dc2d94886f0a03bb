import { type ReactNode, useEffect, useRef } from "react";
import { useLayer } from "#ui/use-layer.ts";

/** Covers the whole page and makes it inert; a native dialog. */
export function ModalCover(props: {
  className: string | undefined;
  /** Id of its heading. */
  labelledBy: string;
  /** Called when Escape is pressed, which does not close the cover. */
  onEscape?: (() => void) | null;
  children: ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayer(true);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={props.className}
      aria-labelledby={props.labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        props.onEscape?.();
      }}
    >
      {props.children}
    </dialog>
  );
}
