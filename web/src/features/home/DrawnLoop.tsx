import { Pause, Play } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { hasOpenLayer, onLayersChange } from "#lib/layers.ts";
import { whilePageVisible } from "#lib/use-page-visible.ts";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./DrawnLoop.module.css";

/** The picture as it is without motion. */
const still = { shows: "cat cat-blink ana-smile ana-brows ana-lean theo-smile said-1 said-2 said-3", ms: 1_200 };
/** The loop: what each beat shows (`DrawnLoop.module.css`), and for how long. */
const beats = [
  { shows: "theo-blink", ms: 600 },
  { shows: "cat ana-down ana-brows", ms: 700 },
  { shows: "cat ana-lean ana-smile theo-down typing-1", ms: 800 },
  { shows: "cat ana-lean ana-smile ana-blink theo-smile said-1", ms: 900 },
  { shows: "cat cat-blink ana-smile ana-down theo-smile theo-brows said-1 typing-2", ms: 700 },
  { shows: "cat cat-lean ana-smile theo-smile theo-lean theo-blink said-1 said-2", ms: 1_000 },
  { shows: "cat cat-lean ana-smile ana-blink theo-smile theo-down said-1 said-2 typing-3", ms: 700 },
  still,
];

function showBeat(drawing: HTMLElement, shows: string): void {
  drawing.dataset["beat"] = shows;
}

/** Shows one beat after the other, begins with the still picture, and returns how to stop. */
function play(drawing: HTMLElement): () => void {
  let next = beats.length - 1;
  let timer: ReturnType<typeof setTimeout>;
  const show = () => {
    const { shows, ms } = beats[next] ?? still;
    showBeat(drawing, shows);
    timer = setTimeout(show, ms);
    next = (next + 1) % beats.length;
  };
  show();
  return () => clearTimeout(timer);
}

/** Plays while the drawing is in view and nothing lies over the page; returns how to stop. */
function playWhileSeen(drawing: HTMLElement): () => void {
  return whilePageVisible(() => {
    let stop: (() => void) | null = null;
    let isInView = false;
    const follow = () => {
      const plays = isInView && !hasOpenLayer();
      if (plays) stop ??= play(drawing);
      else pause();
    };
    const pause = () => {
      stop?.();
      stop = null;
    };
    const view = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting ?? false;
      follow();
    });
    view.observe(drawing);
    const leave = onLayersChange(follow);
    return () => {
      view.disconnect();
      leave();
      pause();
    };
  });
}

/** Moves the drawn people of the home screen, and lets the user pause them (WCAG 2.2.2). */
export function DrawnLoop({ drawing }: { drawing: RefObject<HTMLElement | null> }): ReactNode {
  const t = useT();
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    const element = drawing.current;
    if (!element) return undefined;
    if (!isPaused) return playWhileSeen(element);
    showBeat(element, still.shows);
    return undefined;
  }, [drawing, isPaused]);
  return (
    <IconButton
      kind="video"
      className={styles.pause}
      label={t(isPaused ? "loop.play" : "loop.pause")}
      icon={isPaused ? <Play size={18} /> : <Pause size={18} />}
      onClick={() => setPaused(!isPaused)}
    />
  );
}
