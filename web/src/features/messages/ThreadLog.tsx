import { ArrowDown, Video } from "lucide-react";
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { formatSpan, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { MessageBubble, Receipt } from "./MessageBubble.tsx";
import { isAtEnd, isNearStart, type LogEnds, logMove, type LogShape } from "./log-scroll.ts";
import { dayName, formatDate } from "./message-time.ts";
import { setWatched, wantOlder } from "./messages.ts";
import type { Thread, Unsent } from "./messages-state.ts";
import { type ThreadRow, threadRows } from "./thread-rows.ts";
import { useMinute } from "./use-minute.ts";
import styles from "./ThreadLog.module.css";

type UnsentFailed = Extract<Unsent, { state: "failed" }>;

/** Everything said, oldest first; it opens at the newest and is never moved under the reader (rule MSG-75). */
export function ThreadLog(props: {
  thread: Thread;
  unsent: readonly Unsent[];
  isTyping: boolean;
  onEdit: (failed: UnsentFailed) => void;
}): ReactNode {
  const t = useT();
  const { thread, unsent, isTyping } = props;
  const nowMs = useMinute();
  const rows = threadRows(thread, unsent);
  const { log, hasNews, toEnd } = useLogScroll(rows, isTyping);
  const name = isolate(thread.conversation?.userProfile.nick ?? "");
  return (
    <div className={styles.logBox}>
      <div
        ref={log}
        className={styles.log}
        role="log"
        aria-label={t("msg.log", { name })}
        // Older messages come in above: nobody wants them read out.
        aria-busy={thread.load === "older" || undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus
        tabIndex={0}
      >
        <Older thread={thread} />
        {rows.map((row) => (
          <Row key={row.key} row={row} nowMs={nowMs} externalId={thread.externalId} onEdit={props.onEdit} />
        ))}
        {isTyping && (
          <div className={styles.typing} role="img" aria-label={t("msg.isTyping", { name })}>
            <i />
            <i />
            <i />
          </div>
        )}
      </div>
      {hasNews && (
        <Button
          kind="ink"
          size="small"
          pill
          className={styles.news}
          icon={<ArrowDown size={18} aria-hidden="true" />}
          onClick={toEnd}
        >
          {t("msg.newBelow")}
        </Button>
      )}
    </div>
  );
}

function Older({ thread }: { thread: Thread }): ReactNode {
  const t = useT();
  if (thread.next === null) return null;
  if (thread.failed === "older" && thread.load !== "older") {
    return (
      <p className={styles.day}>
        {t("msg.olderFailed")}
        <button type="button" onClick={wantOlder}>
          {t("common.retry")}
        </button>
      </p>
    );
  }
  // It has its room before it is seen: what is read would move down for as long as older messages are on their way.
  return (
    <p className={styles.day} data-idle={thread.load !== "older" || undefined}>
      {t("msg.olderLoading")}
    </p>
  );
}

function Row(props: {
  row: ThreadRow;
  nowMs: number;
  externalId: string;
  onEdit: (failed: UnsentFailed) => void;
}): ReactNode {
  const t = useT();
  const { row } = props;
  switch (row.kind) {
    case "day":
      return <p className={styles.day}>{dayWords(row.atMs, props.nowMs, t)}</p>;
    case "met":
      return (
        <p className={styles.day}>
          <Video size={15} aria-hidden="true" />
          {t("msg.met", { span: formatSpan(row.seconds) })}
        </p>
      );
    case "bubble":
      return <MessageBubble row={row} externalId={props.externalId} onEdit={props.onEdit} />;
    case "receipt":
      return <Receipt isRead={row.isRead} atMs={row.atMs} />;
  }
}

function dayWords(atMs: number, nowMs: number, t: Translate): string {
  const day = dayName(atMs, nowMs);
  return day === "date" ? formatDate(atMs, nowMs) : t(`msg.${day}`);
}

/** Where the log stands, and whether something new is below what is shown. */
function useLogScroll(
  rows: readonly ThreadRow[],
  isTyping: boolean,
): { log: RefObject<HTMLDivElement | null>; hasNews: boolean; toEnd: () => void } {
  const log = useRef<HTMLDivElement>(null);
  const before = useRef<{ ends: LogEnds; shape: LogShape } | null>(null);
  const [hasNews, setHasNews] = useState(false);
  const first = rows.at(0)?.key ?? null;
  const last = rows.findLast(({ kind }) => kind === "bubble" || kind === "met");
  const lastKey = last?.key ?? null;
  const isOwn = last?.kind === "bubble" && last.from === "me";
  const note = useCallback(() => {
    const box = log.current;
    if (!box || !before.current) return;
    before.current = { ...before.current, shape: shapeOf(box) };
    const atEnd = isAtEnd(before.current.shape);
    if (atEnd) setHasNews(false);
    setWatched(atEnd && !document.hidden);
    if (isNearStart(before.current.shape)) wantOlder();
  }, []);
  useLayoutEffect(() => {
    const box = log.current;
    if (!box) return;
    const now = { ends: { firstKey: first, lastKey, isOwn }, shape: shapeOf(box) };
    const move = logMove(before.current, now);
    if (move.to === "stay") setHasNews((had) => had || move.isNews);
    else box.scrollTop = move.to === "end" ? box.scrollHeight : move.to;
    before.current = now;
    note();
  }, [note, first, lastKey, isOwn, isTyping, rows.length]);
  useEffect(() => {
    const box = log.current;
    if (!box) return undefined;
    const owner = new AbortController();
    box.addEventListener("scroll", note, { signal: owner.signal, passive: true });
    document.addEventListener("visibilitychange", note, { signal: owner.signal });
    // A keyboard that comes up takes room from the log: what was at its end stays in view.
    const watch = new ResizeObserver(() => {
      if (before.current && isAtEnd(before.current.shape)) box.scrollTop = box.scrollHeight;
      note();
    });
    watch.observe(box);
    return () => {
      owner.abort();
      watch.disconnect();
    };
  }, [note]);
  const toEnd = () => {
    const box = log.current;
    if (box) box.scrollTop = box.scrollHeight;
    box?.focus({ preventScroll: true });
  };
  return { log, hasNews, toEnd };
}

function shapeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): LogShape {
  return { scrollTop, scrollHeight, clientHeight };
}
