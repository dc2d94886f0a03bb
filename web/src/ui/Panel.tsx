import { type CSSProperties, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { isComposing } from "#lib/composing.ts";
import { isTopLayer } from "#lib/layers.ts";
import { lowWindowQuery, mobileQuery, useMediaQuery } from "#lib/use-media-query.ts";
import { SheetLife } from "#ui/sheet-life.ts";
import { useLayer } from "#ui/use-layer.ts";
import styles from "#ui/Panel.module.css";

/**
 * A place of its own over the page: below the header, which stays in use, and on phones and in low windows over
 * everything but the notices above the page (rule MSG-71). It takes the part of the page's main content, which is out of reach meanwhile; its first focus is on itself, and goes back to what
 * had it before.
 */
export function Panel(props: {
  /** Id of its heading, the first of the page now. */
  labelledBy: string;
  /** Escape was pressed, and nothing lies over the panel. */
  onEscape: () => void;
  /** It is shown over a call, and dark as that is. */
  overCall?: boolean;
  children: ReactNode;
}): ReactNode {
  const mayLive = useContext(SheetLife);
  const layer = useLayer(mayLive);
  const isFull = useMediaQuery(`${mobileQuery}, ${lowWindowQuery}`);
  const card = useRef<HTMLElement>(null);
  const below = props.overCall ? "#call" : "#page";
  const topPx = useTop(below, isFull);
  useCovered(mayLive, below, isFull);
  useOwnFocus(mayLive, card);
  const escape = useRef(props.onEscape);
  useEffect(() => {
    escape.current = props.onEscape;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !isComposing(event) && isTopLayer(layer)) escape.current();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [layer]);
  return (
    <div
      className={styles.frame}
      style={{ "--panel-top": `${topPx}px` } as CSSProperties}
      data-leaving={mayLive ? undefined : true}
      data-over-call={props.overCall || undefined}
      data-theme={props.overCall ? "dark" : undefined}
    >
      <main ref={card} className={styles.card} aria-labelledby={props.labelledBy} tabIndex={-1}>
        {props.children}
      </main>
    </div>
  );
}

/** Where it begins: at the end of the header of what lies below, or where that begins. A notice above moves both. */
function useTop(below: string, isFull: boolean): number {
  const [topPx, setTopPx] = useState(() => topOf(below, isFull));
  useEffect(() => {
    // Told once at the beginning, too.
    const watch = new ResizeObserver(() => setTopPx(topOf(below, isFull)));
    watch.observe(document.documentElement);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, [below, isFull]);
  return topPx;
}

function topOf(below: string, isFull: boolean): number {
  if (isFull) return document.querySelector(below)?.getBoundingClientRect().top ?? 0;
  return document.querySelector(`${below} header`)?.getBoundingClientRect().bottom ?? 0;
}

/** What lies below neither scrolls nor takes the focus. */
function useCovered(isOpen: boolean, below: string, isFull: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    window.scrollTo(0, 0);
    const root = document.documentElement;
    root.style.overflow = "hidden";
    const covered = document.querySelectorAll<HTMLElement>(
      `${below} ${isFull ? ":is(header, main, footer)" : ":is(main, footer)"}`,
    );
    for (const part of covered) part.inert = true;
    return () => {
      root.style.overflow = "";
      for (const part of covered) part.inert = false;
    };
  }, [isOpen, below, isFull]);
}

function useOwnFocus(isOpen: boolean, card: { current: HTMLElement | null }): void {
  // Asked while it renders: what it covers loses the focus before any effect could look.
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (!isOpen) return undefined;
    const own = card.current;
    own?.focus({ preventScroll: true });
    return () => {
      // Whoever went on to something else keeps the focus there.
      const isElsewhere = document.activeElement !== document.body && !own?.contains(document.activeElement);
      if (!isElsewhere && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [isOpen, card, before]);
}
