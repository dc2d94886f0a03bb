import { EyeOff, ImageOff, ZoomIn } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { adminLook } from "@fava/wire/endpoints/desk.ts";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { request } from "#lib/api/request.ts";
import { formatPercent } from "#lib/format-units.ts";
import { formatAs, formatShortDate } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { formatScore, formatShare, showDeskFailure } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import { FactList } from "./parts.tsx";
import parts from "./Parts.module.css";
import styles from "./Evidence.module.css";

/** The same moment as the sender and the partner saw it, side by side; empty without a moment. */
export function MomentFrames({
  moments,
  className,
}: {
  moments: ChosenMoment;
  className?: string | undefined;
}): ReactNode {
  const t = useT();
  const { detail, moment, views } = moments;
  if (!detail || !moment) return null;
  const ends = [
    { id: moment.own, caption: t("desk.evidence.sent", { name: isolate(detail.person.nickname) }) },
    { id: moment.received, caption: t("desk.evidence.seen") },
  ];
  return (
    <section className={classNames(styles.frames, className)} aria-label={t("desk.evidence")}>
      {ends.map(({ id, caption }) => (
        <Evidence key={caption} id={id} caption={caption} atMs={moment.at} views={views} zoom={moments.zoom} />
      ))}
    </section>
  );
}

/**
 * One frame of the evidence: covered at first, not loaded until it is uncovered, and grey unless the moderator has
 * turned that off. Without an id this side sent none.
 */
function Evidence(props: {
  id: string | null;
  caption: string;
  atMs: number;
  views: FrameViews;
  zoom: number;
}): ReactNode {
  const t = useT();
  const { caption, id, views } = props;
  const view = views.of(id);
  const isShown = view?.phase === "shown";
  const { grey } = useDeskSwitches();
  return (
    <figure className={classNames(parts.frame, styles.evidence)} data-grey={grey || undefined}>
      {isShown && props.zoom > 1 ? (
        <Enlarged url={view.url} name={caption} zoom={props.zoom} />
      ) : (
        <Picture view={view} name={caption} />
      )}
      {id === null ? (
        <p className={classNames(parts.pill, parts.chip, styles.none)}>
          <ImageOff size={18} aria-hidden="true" />
          {t("desk.evidence.none")}
        </p>
      ) : (
        <button
          type="button"
          className={classNames(parts.pill, parts.chip, styles.reveal)}
          data-shown={isShown || undefined}
          aria-keyshortcuts="Space"
          aria-busy={view?.phase === "asked" || undefined}
          aria-label={t(isShown ? "desk.evidence.hideIt" : "desk.evidence.showIt", { caption })}
          onClick={() => (isShown ? views.hide([id]) : views.show([id]))}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t(isShown ? "desk.hide" : view?.phase === "failed" ? "desk.evidence.again" : "desk.show")}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      )}
      <figcaption>
        <b>{caption}</b>
        <span>{formatAs("second", props.atMs)}</span>
      </figcaption>
    </figure>
  );
}

/** A part of an enlarged frame, to scroll by pointer, touch or arrow keys; the other frame follows. */
function Enlarged({ url, name, zoom }: { url: string; name: string; zoom: number }): ReactNode {
  const area = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    current?.scrollTo(
      (current.scrollWidth - current.clientWidth) / 2,
      (current.scrollHeight - current.clientHeight) / 2,
    );
  }, [zoom]);
  const follow = () => {
    const { current } = area;
    const others = current?.closest("section")?.querySelectorAll("[data-own-arrows]") ?? [];
    for (const other of others) if (current && other !== current) other.scrollTo(current.scrollLeft, current.scrollTop);
  };
  return (
    <span
      ref={area}
      className={styles.enlarged}
      data-own-arrows
      data-sideways
      role="group"
      aria-label={name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
      tabIndex={0}
      dir="ltr"
      onScroll={follow}
    >
      <img src={url} alt={name} draggable={false} style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }} />
    </span>
  );
}

/** The frame itself, or a drawn cover without any of its content. */
function Picture({ view, name }: { view: FrameView | null; name: string }): ReactNode {
  if (view?.phase !== "shown") return <span className={styles.cover} aria-hidden="true" />;
  return <img src={view.url} alt={name} draggable={false} />;
}

/** The moments of the call to choose from, and the verdicts on the chosen one; empty without a moment. */
export function Moments({ moments }: { moments: ChosenMoment }): ReactNode {
  const t = useT();
  const { grey } = useDeskSwitches();
  const { detail, moment, views } = moments;
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    chosen.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [moments.at]);
  if (!detail || !moment) return null;
  return (
    <div className={styles.strip}>
      <div ref={chosen} className={styles.moments} data-sideways role="group" aria-label={t("desk.moments")}>
        {detail.moments.map(({ at, own, received }, index) => (
          <button key={at} type="button" aria-pressed={index === moments.at} onClick={() => moments.choose(index)}>
            <span className={classNames(parts.frame, styles.thumb)} data-grey={grey || undefined}>
              <Picture view={views.of(own ?? received)} name="" />
            </span>
            {formatAs("second", at)}
          </button>
        ))}
      </div>
      <div className={styles.beside}>
        <Checks detail={detail} at={moments.at} />
        <button
          type="button"
          className={classNames(parts.pill, styles.zoom)}
          aria-keyshortcuts="Z"
          onClick={() => moments.press("z")}
        >
          <ZoomIn size={16} aria-hidden="true" />
          {t("desk.zoom", { share: formatPercent(moments.zoom * 100) })}
          <Kbd>Z</Kbd>
        </button>
      </div>
    </div>
  );
}

/** The verdicts on the chosen moment, and until when the evidence is kept. */
export function Checks({ detail, at }: { detail: CaseDetail; at: number }): ReactNode {
  const t = useT();
  const moment = detail.moments[at];
  const explicit = moment?.explicit ?? detail.check?.explicit ?? null;
  const found = (
    <>
      {explicit === null ? t("desk.check.none") : t(foundKey(explicit), { score: formatScore(explicit) })}
      {detail.check?.shadow && <small>{t("desk.check.shadow")}</small>}
    </>
  );
  return (
    <FactList
      className={styles.checks}
      facts={[
        [t("desk.check"), found],
        moment !== undefined && [
          t("desk.agreement"),
          moment.agreement === null ? t("desk.agreement.none") : formatShare(moment.agreement),
        ],
        detail.erase_at !== null && [
          t("desk.keptUntil"),
          t("desk.thenErased", { day: formatShortDate(detail.erase_at) }),
        ],
      ]}
    />
  );
}

/**
 * From `sureFrom` on the models are sure, below `foundFrom` they found nothing; the same thresholds as on the server.
 */
const sureFrom = 0.8;
const foundFrom = 0.6;

function foundKey(explicit: number) {
  if (explicit >= sureFrom) return "desk.check.sure";
  return explicit >= foundFrom ? "desk.check.unsure" : "desk.check.clean";
}

type Moment = CaseDetail["moments"][number];

const zoomMax = 4;

/** The chosen moment of the evidence, and which of its frames are uncovered. */
interface ChosenMoment {
  readonly detail: CaseDetail | null;
  /** The chosen moment; null if the case has none. */
  readonly moment: Moment | null;
  readonly at: number;
  readonly views: FrameViews;
  readonly choose: (at: number) => void;
  /** How many times the frames are enlarged; 1: not at all. */
  readonly zoom: number;
  /**
   * Arrow keys, Home and End choose a moment, Space shows or covers it, Z enlarges it; returns whether the key was
   * handled.
   */
  readonly press: (key: string) => boolean;
}

/** The ids of a moment's frames. */
export function idsOf({ own, received }: Moment): readonly string[] {
  return [own, received].filter((id) => id !== null);
}

/**
 * The moments of a call with the newest chosen; choosing another one covers all frames again. `onView`: a frame was
 * shown.
 */
export function useMoments(detail: CaseDetail | null, userId: number, onView?: () => void): ChosenMoment {
  const moments = detail?.moments ?? [];
  const [at, setAt] = useState(Math.max(0, moments.length - 1));
  const [zoom, setZoom] = useState(1);
  const views = useFrameViews(userId, onView);
  const moment = moments[at] ?? null;

  function choose(to: number): void {
    const next = Math.min(moments.length - 1, Math.max(0, to));
    if (next === at) return;
    if (moment) views.hide(idsOf(moment));
    setAt(next);
  }

  function press(key: string): boolean {
    if (!moment) return false;
    const ids = idsOf(moment);
    if (key === "Space") {
      const isShown = ids.some((id) => views.of(id)?.phase === "shown");
      if (isShown) views.hide(ids);
      else views.show(ids);
      return true;
    }
    if (key === "z") setZoom(zoom >= zoomMax ? 1 : zoom + 1);
    else if (key === "Home") choose(0);
    else if (key === "End") choose(moments.length - 1);
    else return pressArrow(key);
    return true;
  }

  function pressArrow(key: string): boolean {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
    const forward = (key === "ArrowRight") !== (document.documentElement.dir === "rtl");
    choose(at + (forward ? 1 : -1));
    return true;
  }

  return { detail, moment, at, views, zoom, choose, press };
}

/** A frame of the evidence that the moderator asked to see. */
type FrameView = { readonly phase: "asked" | "failed" } | { readonly phase: "shown"; readonly url: string };

interface FrameViews {
  readonly of: (id: string | null) => FrameView | null;
  /** Uncovers frames, each by a request of its own that the server logs. */
  readonly show: (ids: readonly string[]) => void;
  readonly hide: (ids: readonly string[]) => void;
}

/** Which frames are uncovered; unmounting covers them all. */
function useFrameViews(userId: number, onView?: () => void): FrameViews {
  const [views, setViews] = useState<ReadonlyMap<string, FrameView>>(new Map());
  /** Aborts the request for each frame: a late response must not uncover a frame that was covered again. */
  const calls = useRef<ReadonlyMap<string, AbortController>>(new Map());
  useEffect(() => () => calls.current.forEach((call) => call.abort()), []);

  const set = (id: string, view: FrameView | null) =>
    setViews((before) => {
      const after = new Map(before);
      if (view) after.set(id, view);
      else after.delete(id);
      return after;
    });

  async function ask(id: string): Promise<void> {
    const call = new AbortController();
    const { signal } = call;
    calls.current = new Map(calls.current).set(id, call);
    set(id, { phase: "asked" });
    try {
      const { url } = await request(adminLook, { user_id: userId, id }, { signal });
      if (signal.aborted) return;
      set(id, { phase: "shown", url });
      onView?.();
    } catch (error) {
      if (signal.aborted) return;
      set(id, { phase: "failed" });
      showDeskFailure(error);
    }
  }

  return {
    of: (id) => (id === null ? null : (views.get(id) ?? null)),
    show: (ids) => {
      for (const id of ids) if (views.get(id)?.phase !== "asked" && views.get(id)?.phase !== "shown") void ask(id);
    },
    hide: (ids) => {
      for (const id of ids) {
        calls.current.get(id)?.abort();
        set(id, null);
      }
    },
  };
}
