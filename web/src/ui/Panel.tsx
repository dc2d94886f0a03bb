import { type CSSProperties, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { isComposing } from "#lib/composing.ts";
import { isTopLayer } from "#lib/layers.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { SheetLife } from "#ui/sheet-life.ts";
import { useLayer } from "#ui/use-layer.ts";
import styles from "#ui/Panel.module.css";

/**
 * A panel over the page: below the header, which stays usable, and on phones and in low windows over everything but the
 * notices above the page. It replaces the page's main content, which is inert meanwhile. Over a call it takes the
 * column of the chat, or on a phone the space below the video, and does not affect the call. It focuses itself first,
 * and returns the focus when it closes.
 */
export function Panel(props: {
  /** Id of its heading, now the first of the page. */
  labelledBy: string;
  /** Called when Escape is pressed while the panel is the topmost layer. */
  onEscape: () => void;
  /** Whether the panel is shown over a call; it is then dark like the call. */
  overCall?: boolean;
  children: ReactNode;
}): ReactNode {
  const mayLive = useContext(SheetLife);
  const layer = useLayer(mayLive);
  const isFull = useIsSmallWindow();
  const card = useRef<HTMLDivElement>(null);
  const isOverCall = props.overCall === true;
  const edges = useEdges(isOverCall, isFull);
  useCovered(mayLive && !isOverCall, isFull);
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
      style={{ "--panel-top": `${edges.topPx}px`, ...edges.column } as CSSProperties}
      data-column={edges.column ? "" : undefined}
      data-leaving={mayLive ? undefined : true}
      data-over-call={props.overCall || undefined}
      data-theme={props.overCall ? "dark" : undefined}
    >
      {/* The call beside it stays the main content. */}
      <div
        ref={card}
        role={isOverCall ? "region" : "main"}
        className={styles.card}
        data-panel=""
        aria-labelledby={props.labelledBy}
        tabIndex={-1}
      >
        {props.children}
      </div>
    </div>
  );
}

interface Edges {
  topPx: number;
  /** Over a call: place and size of the chat column, as custom properties for the frame. */
  column?: CSSProperties;
}

/** The place of the panel. A notice above the page, another window size or the call can change it. */
function useEdges(isOverCall: boolean, isFull: boolean): Edges {
  const [edges, setEdges] = useState(() => edgesOf(isOverCall, isFull));
  useEffect(() => {
    // The observer also fires once at the start.
    const watch = new ResizeObserver(() => setEdges(edgesOf(isOverCall, isFull)));
    for (const place of [document.documentElement, document.body, ...document.querySelectorAll(callPlaces)])
      watch.observe(place);
    return () => watch.disconnect();
  }, [isOverCall, isFull]);
  return edges;
}

/** A call, and the column beside its video. */
const callPlaces = "#call, #call [data-column]";

/** Below the header of the page, or at its top; over a call in its column, or below its video. */
function edgesOf(isOverCall: boolean, isFull: boolean): Edges {
  const boxOf = (place: string) => document.querySelector(place)?.getBoundingClientRect();
  if (!isOverCall) return { topPx: (isFull ? boxOf("#page")?.top : boxOf("#page header")?.bottom) ?? 0 };
  const column = boxOf("#call [data-column]");
  if (!column || column.width === 0) return { topPx: boxOf("#call")?.bottom ?? 0 };
  const { left, right, top, bottom } = column;
  const insets = `${top}px ${innerWidth - right}px ${innerHeight - bottom}px ${left}px`;
  return { topPx: top, column: { "--panel-insets": insets } as CSSProperties };
}

/** The page below neither scrolls nor takes the focus. */
function useCovered(isCovered: boolean, isFull: boolean): void {
  useEffect(() => {
    if (!isCovered) return undefined;
    window.scrollTo(0, 0);
    const root = document.documentElement;
    root.style.overflow = "hidden";
    const covered = document.querySelectorAll<HTMLElement>(
      `#page ${isFull ? ":is(header, main, footer)" : ":is(main, footer)"}`,
    );
    for (const part of covered) part.inert = true;
    return () => {
      root.style.overflow = "";
      for (const part of covered) part.inert = false;
    };
  }, [isCovered, isFull]);
}

function useOwnFocus(isOpen: boolean, card: { current: HTMLElement | null }): void {
  // Read during the render, because the covered element loses the focus before any effect runs.
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (!isOpen) return undefined;
    const own = card.current;
    own?.focus({ preventScroll: true });
    return () => {
      // A focus that the user moved to another element stays there.
      const isElsewhere = document.activeElement !== document.body && !own?.contains(document.activeElement);
      if (!isElsewhere && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [isOpen, card, before]);
}
