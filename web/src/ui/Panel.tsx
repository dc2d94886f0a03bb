import { type CSSProperties, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { isTopLayer } from "#lib/layers.ts";
import { lowWindowQuery, mobileQuery, useMediaQuery } from "#lib/use-media-query.ts";
import { SheetLife } from "#ui/sheet-life.ts";
import { useLayer } from "#ui/use-layer.ts";
import styles from "#ui/Panel.module.css";

/**
 * A place of its own over the page: below the header, which stays in use, and on phones and in low windows over
 * everything (rule MSG-71). It takes the part of the page's main content, which is out of reach meanwhile; its first focus is on itself, and goes back to what
 * had it before.
 */
export function Panel(props: {
  /** Id of its heading, the first of the page now. */
  labelledBy: string;
  /** Escape was pressed, and nothing lies over the panel. */
  onEscape: () => void;
  /** It is shown over a call. */
  overCall?: boolean;
  children: ReactNode;
}): ReactNode {
  const mayLive = useContext(SheetLife);
  const layer = useLayer(mayLive);
  const isFull = useMediaQuery(`${mobileQuery}, ${lowWindowQuery}`);
  const card = useRef<HTMLElement>(null);
  const topPx = useHeaderEnd();
  useCovered(mayLive, isFull);
  useOwnFocus(mayLive, card);
  const escape = useRef(props.onEscape);
  useEffect(() => {
    escape.current = props.onEscape;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.isComposing && isTopLayer(layer)) escape.current();
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
    >
      <main ref={card} className={styles.card} aria-labelledby={props.labelledBy} tabIndex={-1}>
        {props.children}
      </main>
    </div>
  );
}

/** Where the page's header ends, which a notice above it moves. */
function useHeaderEnd(): number {
  const [endPx, setEndPx] = useState(headerEndPx);
  useEffect(() => {
    const watch = new ResizeObserver(() => setEndPx(headerEndPx()));
    watch.observe(document.documentElement);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);
  return endPx;
}

function headerEndPx(): number {
  return document.querySelector("#page header")?.getBoundingClientRect().bottom ?? 0;
}

/** The page below neither scrolls nor takes the focus. */
function useCovered(isOpen: boolean, isFull: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    window.scrollTo(0, 0);
    const root = document.documentElement;
    root.style.overflow = "hidden";
    const covered = document.querySelectorAll<HTMLElement>(
      isFull ? "#page :is(header, main, footer)" : "#page :is(main, footer)",
    );
    for (const part of covered) part.inert = true;
    return () => {
      root.style.overflow = "";
      for (const part of covered) part.inert = false;
    };
  }, [isOpen, isFull]);
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
