import { useId, useRef, useState, type CSSProperties, type PointerEvent, type ReactNode, type Ref } from "react";
import { mobileQuery } from "#lib/use-media-query.ts";
import { frameOf, MenuPanel } from "#ui/MenuPanel.tsx";

/** Attributes for the button that opens the menu. */
export interface MenuTriggerProps {
  ref: Ref<HTMLButtonElement>;
  id: string;
  "aria-haspopup": "menu";
  "aria-expanded": boolean;
  onClick: () => void;
  onPointerEnter: (event: PointerEvent) => void;
  onPointerLeave: (event: PointerEvent) => void;
}

/** A pointer that crosses the gap between button and menu must not close it. */
const hoverCloseMs = 250;

/** A menu under its button on a desktop, a bottom sheet on a phone. Its items are in `MenuItems.tsx`. */
export function Menu(props: {
  /** Name of the menu for screen readers. */
  label: string;
  trigger: (props: MenuTriggerProps) => ReactNode;
  children: ReactNode;
  /**
   * Also opens when a mouse points at the button; not as a sheet, whose cover would take the mouse from the button and
   * so close it again.
   */
  openOnHover?: boolean;
  widthPx?: number;
}): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<{ style: CSSProperties; byHover: boolean } | null>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);

  const open = (byHover: boolean) => {
    clearTimeout(leaving.current);
    if (!shown && button.current) setShown({ style: anchorBelow(button.current, props.widthPx ?? 320), byHover });
    // A press keeps a menu open that opened on hover.
    if (shown?.byHover && !byHover) setShown({ ...shown, byHover });
  };
  const close = (refocus: boolean) => {
    clearTimeout(leaving.current);
    setShown(null);
    if (refocus) button.current?.focus();
  };
  const hovers = (event: PointerEvent) => props.openOnHover === true && event.pointerType === "mouse";
  const enter = (event: PointerEvent) => {
    if (hovers(event) && !window.matchMedia(mobileQuery).matches) open(true);
  };
  const leave = (event: PointerEvent) => {
    if (hovers(event) && shown?.byHover) leaving.current = setTimeout(() => close(false), hoverCloseMs);
  };

  return (
    <>
      {props.trigger({
        ref: button,
        id,
        "aria-haspopup": "menu",
        "aria-expanded": shown !== null,
        onClick: () => (shown && !shown.byHover ? close(true) : open(false)),
        onPointerEnter: enter,
        onPointerLeave: leave,
      })}
      {shown && (
        <MenuPanel
          label={props.label}
          style={shown.style}
          opener={button}
          // A pointer that passes over the button must not take the focus from a text field.
          takeFocus={!shown.byHover}
          onClose={close}
          onPointerEnter={enter}
          onPointerLeave={leave}
        >
          {props.children}
        </MenuPanel>
      )}
    </>
  );
}

/** In coordinates of the page, or of the menu's dialog; the style sheet ignores it on phones. */
function anchorBelow(button: HTMLElement, widthPx: number): CSSProperties {
  const box = button.getBoundingClientRect();
  const rightToLeft = document.documentElement.dir === "rtl";
  const page = { top: -window.scrollY, left: 0, right: document.documentElement.clientWidth };
  const frame = positioned(frameOf(button))?.getBoundingClientRect() ?? page;
  const end = rightToLeft ? box.left - frame.left : frame.right - box.right;
  return {
    "--menu-top": `${box.bottom - frame.top + 8}px`,
    "--menu-end": `${Math.max(8, end)}px`,
    "--menu-width": `${widthPx}px`,
  } as CSSProperties;
}

/** The element from which positions inside `frame` are measured. */
function positioned(frame: HTMLElement | null): Element | null {
  return frame && getComputedStyle(frame).position === "static" ? frame.offsetParent : frame;
}
