import {
  useEffect,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { createPortal } from "react-dom";
import { isTopLayer } from "#lib/layers.ts";
import { MenuClose } from "#ui/menu-context.ts";
import { nextMenuIndex } from "#ui/menu-keys.ts";
import { useLayer } from "#ui/use-layer.ts";
import styles from "#ui/Menu.module.css";

/** Minimum space below a menu. */
const edgePx = 8;

/** The dialog, panel or call that contains the menu's button; null if the button is in a header, or in neither of them. */
export function frameOf(button: HTMLElement | null): HTMLElement | null {
  return button?.closest("header")
    ? null
    : (button?.closest<HTMLElement>("[role$=dialog], [data-panel], #call main") ?? null);
}

/** The open menu of `Menu`: takes the focus, and closes on Escape, Tab and a press outside. */
export function MenuPanel(props: {
  label: string;
  style: CSSProperties;
  opener: RefObject<HTMLElement | null>;
  takeFocus: boolean;
  onClose: (refocus: boolean) => void;
  onPointerEnter: (event: PointerEvent) => void;
  onPointerLeave: (event: PointerEvent) => void;
  children: ReactNode;
}): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const layer = useLayer(true);
  const { onClose, opener, takeFocus } = props;
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const menu = panel.current;
    // On phones the style sheet makes the menu a sheet at the bottom.
    if (!menu || getComputedStyle(menu).position === "fixed") return;
    const box = menu.getBoundingClientRect();
    const frame = frameOf(opener.current)?.getBoundingClientRect();
    const over = box.bottom + edgePx - Math.min(window.innerHeight, frame?.bottom ?? Infinity);
    const room = Math.max(0, box.top - edgePx - Math.max(0, frame?.top ?? 0));
    // Moves over its button instead of out of the window or its dialog, which would clip it.
    if (over > 0) menu.style.marginBlockStart = `${-Math.min(over, room)}px`;
  }, [opener]);

  useEffect(() => {
    // The panel itself, not the first item: a mouse press must not draw a focus ring around an item.
    if (takeFocus) panel.current?.focus({ preventScroll: true });
  }, [takeFocus]);

  useEffect(() => {
    const pressedOutside = (event: Event) => {
      const target = event.target as Node;
      if (!panel.current?.contains(target) && !opener.current?.contains(target)) close.current(false);
    };
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key === "Escape" && isTopLayer(layer)) close.current(true);
    };
    document.addEventListener("pointerdown", pressedOutside);
    document.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("pointerdown", pressedOutside);
      document.removeEventListener("keydown", pressed);
    };
  }, [layer, opener]);

  const keyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") return onClose(true);
    const items = itemsOf(panel.current);
    const labels = items.map((item) => item.textContent ?? "");
    const next = nextMenuIndex(event.key, items.indexOf(document.activeElement as HTMLElement), labels);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    items[next]?.focus();
  };

  return createPortal(
    <>
      <div className={styles.scrim} aria-hidden="true" />
      <div
        ref={panel}
        role="menu"
        tabIndex={-1}
        aria-label={props.label}
        className={styles.menu}
        style={props.style}
        onKeyDown={keyDown}
        onPointerEnter={props.onPointerEnter}
        onPointerLeave={props.onPointerLeave}
      >
        <MenuClose value={() => onClose(true)}>{props.children}</MenuClose>
      </div>
    </>,
    // Inside the landmark or the dialog of its button, because all content must be in a landmark, and none below a
    // dialog.
    opener.current?.closest("header") ?? frameOf(opener.current) ?? document.body,
  );
}

function itemsOf(panel: HTMLElement | null): HTMLElement[] {
  return Array.from(panel?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? []);
}
