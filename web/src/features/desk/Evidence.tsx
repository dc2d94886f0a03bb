import { EyeOff, ImageOff } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { adminLook } from "@fava/wire/endpoints/desk.ts";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { call } from "#lib/api/call.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { classNames } from "#ui/class-names.ts";
import { formatScore, formatSecond, formatShare, tellDeskFailure } from "./desk-format.ts";
import { useDeskSwitches } from "./desk-info.ts";
import chipStyles from "./PictureChip.module.css";
import styles from "./Evidence.module.css";
import momentsStyles from "./Moments.module.css";

/** One picture of the evidence: covered and grey until asked for; nothing of it is loaded before. */
function Evidence(props: {
  /** Null: this end sent none. */
  id: string | null;
  caption: string;
  atMs: number;
  look: Look | null;
  onToggle: () => void;
}): ReactNode {
  const t = useT();
  const { caption, look, id } = props;
  return (
    <figure className={styles.evidence}>
      <Picture {...(look?.phase === "shown" && { url: look.url })} name={caption} />
      {id === null ? (
        <p className={classNames(chipStyles.chip, styles.none)}>
          <ImageOff size={18} aria-hidden="true" />
          {t("desk.evidence.none")}
        </p>
      ) : (
        <button
          type="button"
          className={classNames(chipStyles.chip, styles.reveal)}
          data-shown={look?.phase === "shown" || undefined}
          aria-keyshortcuts="Space"
          aria-busy={look?.phase === "asked" || undefined}
          aria-label={t(look?.phase === "shown" ? "desk.evidence.hideIt" : "desk.evidence.showIt", { caption })}
          onClick={props.onToggle}
        >
          <EyeOff size={18} aria-hidden="true" />
          {t(wordOf(look))}
          <Kbd>{t("desk.key.space")}</Kbd>
        </button>
      )}
      <figcaption>
        <b>{caption}</b>
        <span>{formatSecond(props.atMs)}</span>
      </figcaption>
    </figure>
  );
}

function wordOf(look: Look | null) {
  if (look?.phase === "shown") return "desk.hide";
  return look?.phase === "failed" ? "desk.evidence.again" : "desk.show";
}

/** The picture itself, or a drawn cover that tells nothing of it. */
function Picture({ url, name }: { url?: string; name: string }): ReactNode {
  const { grey } = useDeskSwitches();
  if (url === undefined) return <span className={styles.cover} aria-hidden="true" />;
  return <img className={styles.picture} src={url} alt={name} data-grey={grey || undefined} draggable={false} />;
}

/** The same moment as its sender and the other saw it, side by side. */
export function MomentFrames(props: {
  moment: CaseDetail["moments"][number];
  name: string;
  looks: Looks;
  className: string;
}): ReactNode {
  const t = useT();
  const { moment, looks } = props;
  const toggle = (id: string | null) => () => {
    if (id === null) return;
    if (looks.of(id)?.phase === "shown") looks.hide([id]);
    else looks.show([id]);
  };
  const ends = [
    { id: moment.own, caption: t("desk.evidence.sent", { name: isolate(props.name) }) },
    { id: moment.received, caption: t("desk.evidence.seen") },
  ];
  return (
    <section className={props.className} aria-label={t("desk.evidence")}>
      {ends.map(({ id, caption }) => (
        <Evidence key={caption} id={id} caption={caption} atMs={moment.at} look={looks.of(id)} onToggle={toggle(id)} />
      ))}
    </section>
  );
}

/** The moments of the call to choose from, and what software found in the chosen one. */
export function Moments(props: {
  detail: CaseDetail;
  at: number;
  looks: Looks;
  onChoose: (at: number) => void;
}): ReactNode {
  const t = useT();
  const { detail, looks } = props;
  return (
    <div className={momentsStyles.strip}>
      <div className={momentsStyles.moments} role="group" aria-label={t("desk.moments")}>
        {detail.moments.map(({ at, own, received }, index) => {
          const look = looks.of(own ?? received);
          return (
            <button key={at} type="button" aria-pressed={index === props.at} onClick={() => props.onChoose(index)}>
              <span className={momentsStyles.thumb}>
                <Picture {...(look?.phase === "shown" && { url: look.url })} name="" />
              </span>
              {formatSecond(at)}
            </button>
          );
        })}
      </div>
      <Checks detail={detail} at={props.at} />
    </div>
  );
}

/** What software found in the chosen moment, and until when the evidence is kept. */
export function Checks({ detail, at }: { detail: CaseDetail; at: number }): ReactNode {
  const t = useT();
  const moment = detail.moments[at];
  const explicit = moment?.explicit ?? detail.check?.explicit ?? null;
  return (
    <dl className={momentsStyles.checks}>
      <div>
        <dt>{t("desk.check")}</dt>
        <dd>
          {explicit === null ? t("desk.check.none") : t(foundKey(explicit), { score: formatScore(explicit) })}
          {detail.check?.shadow && <small>{t("desk.check.shadow")}</small>}
        </dd>
      </div>
      {moment && (
        <div>
          <dt>{t("desk.agreement")}</dt>
          <dd>{moment.agreement === null ? t("desk.agreement.none") : formatShare(moment.agreement)}</dd>
        </div>
      )}
      {detail.erase_at !== null && (
        <div>
          <dt>{t("desk.keptUntil")}</dt>
          <dd>{t("desk.thenErased", { day: formatShortDate(detail.erase_at) })}</dd>
        </div>
      )}
    </dl>
  );
}

/** Above this the models are sure, below the other they found nothing (research: thresholds of the picture check). */
const sureFrom = 0.8;
const foundFrom = 0.6;

function foundKey(explicit: number) {
  if (explicit >= sureFrom) return "desk.check.sure";
  return explicit >= foundFrom ? "desk.check.unsure" : "desk.check.clean";
}

type Moment = CaseDetail["moments"][number];

interface FetchedMoments {
  /** The chosen one; null where there is none. */
  readonly moment: Moment | null;
  readonly at: number;
  readonly looks: Looks;
  readonly choose: (at: number) => void;
  /** Arrows choose a moment, Space shows or covers it; answers whether the key meant that. */
  readonly press: (key: string) => boolean;
}

/** The pictures that a moment has. */
export function idsOf({ own, received }: Moment): readonly string[] {
  return [own, received].filter((id) => id !== null);
}

/** The moments of a call with the newest chosen; what was looked at is covered again when another is chosen. */
export function useMoments(moments: readonly Moment[], userId: number): FetchedMoments {
  const [at, setAt] = useState(Math.max(0, moments.length - 1));
  const looks = useLooks(userId);
  const moment = moments[at] ?? null;

  function choose(to: number): void {
    const next = Math.min(moments.length - 1, Math.max(0, to));
    if (next === at) return;
    if (moment) looks.hide(idsOf(moment));
    setAt(next);
  }

  function press(key: string): boolean {
    if (!moment) return false;
    const ids = idsOf(moment);
    if (key === "Space") {
      const isShown = ids.some((id) => looks.of(id)?.phase === "shown");
      if (isShown) looks.hide(ids);
      else looks.show(ids);
      return true;
    }
    if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
    const forward = (key === "ArrowRight") !== (document.documentElement.dir === "rtl");
    choose(at + (forward ? 1 : -1));
    return true;
  }

  return { moment, at, looks, choose, press };
}

/** A piece of evidence that somebody asked to see. */
type Look = { readonly phase: "asked" | "failed" } | { readonly phase: "shown"; readonly url: string };

interface Looks {
  readonly of: (id: string | null) => Look | null;
  /** Shows what is covered, each with a call of its own that is written down (rule DESK-117). */
  readonly show: (ids: readonly string[]) => void;
  readonly hide: (ids: readonly string[]) => void;
}

/** What of the evidence is uncovered; everything is covered again with the component. */
function useLooks(userId: number): Looks {
  const [looks, setLooks] = useState<ReadonlyMap<string, Look>>(new Map());
  const ended = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    ended.current = controller;
    return () => controller.abort();
  }, []);

  const set = useCallback((id: string, look: Look | null) => {
    setLooks((before) => {
      const after = new Map(before);
      if (look) after.set(id, look);
      else after.delete(id);
      return after;
    });
  }, []);

  const ask = useCallback(
    async (id: string) => {
      const signal = ended.current?.signal;
      set(id, { phase: "asked" });
      try {
        const { url } = await call(adminLook, { user_id: userId, id }, signal ? { signal } : {});
        if (!signal?.aborted) set(id, { phase: "shown", url });
      } catch (error) {
        if (signal?.aborted) return;
        set(id, { phase: "failed" });
        tellDeskFailure(error);
      }
    },
    [set, userId],
  );

  return {
    of: (id) => (id === null ? null : (looks.get(id) ?? null)),
    show: (ids) => {
      for (const id of ids) if (looks.get(id)?.phase !== "asked" && looks.get(id)?.phase !== "shown") void ask(id);
    },
    hide: (ids) => {
      for (const id of ids) set(id, null);
    },
  };
}
