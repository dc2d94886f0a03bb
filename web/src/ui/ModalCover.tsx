import { type ReactNode, useEffect, useRef } from "react";
import { useLayer } from "#ui/use-layer.ts";

/** Over the whole page, of which nothing can be used meanwhile: a native dialog makes it inert without any library. */
export function ModalCover(props: {
  className: string | undefined;
  /** Id of what names it. */
  labelledBy: string;
  /** Escape was pressed, which does not close it. */
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
