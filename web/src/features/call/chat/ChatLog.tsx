import { chatLineShownMs, chatLinesShownMax } from "@fava/wire/limits.ts";
import { EllipsisVertical, Flag } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { disputeText, reasonOf, reportLine, useIsDisputed, useReportedLines } from "#features/people/line-marks.ts";
import { formatSoon } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { leaveFocusToLog } from "#lib/log-focus.ts";
import { textParts } from "#lib/text-parts.ts";
import { Cover, CoveredText, DisputePress, OwnText, ReportPress } from "#ui/CoveredText.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import { TranslatableText } from "#ui/TranslatableText.tsx";
import styles from "./ChatPanel.module.css";
import { MuteAsk } from "./MuteAsk.tsx";
import { type ChatLine, type LineState, logEntries, type PartnerLine } from "./chat-log.ts";

type OwnLine = Extract<ChatLine, { from: "me" }>;

/** The chat lines of the call, oldest first, scrolled to the newest. */
export function ChatLog({ room, lines }: { room: InRoom; lines: readonly ChatLine[] }): ReactNode {
  const t = useT();
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // An empty log does not scroll, and reading its height would force a layout.
    if (lines.length > 0) log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [lines]);
  useEffect(() => {
    const element = log.current;
    if (!element) return undefined;
    // A growing text field, the keyboard and a rotated phone shrink the log: keep the last line in view.
    const watch = new ResizeObserver(() => {
      if (element.childElementCount > 0) element.scrollTo({ top: element.scrollHeight });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const entries = logEntries(lines);
  const { remote } = room.match;
  const sharesLanguage = (remote.shared?.languages ?? []).length > 0;
  const about = { userId: remote.user_id, callId: room.match.id, sharesLanguage };
  const isReported = useReportedLines(about.callId);
  const menuStop = lines.findLast((line) => line.from === "other" && line.cover === null && !isReported(line.id))?.id;
  return (
    <>
      {lines.length === 0 && <p className={styles.hello}>{t("call.hello", { name: isolate(remote.nickname) })}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards reach what scrolled away only by a focus */}
      <div ref={log} className={styles.log} role="log" tabIndex={lines.length > 0 ? 0 : -1} aria-label={t("call.chat")}>
        {entries.map((entry, at) => {
          const isRecent = at >= entries.length - chatLinesShownMax;
          if (entry.kind === "folded")
            return <FoldedLines key="folded" lines={entry.lines} about={about} isReported={isReported} />;
          const { line } = entry;
          const key = `${line.from} ${line.id}`;
          if (line.from === "me") return <OwnLineView key={key} line={line} isRecent={isRecent} />;
          const shown = { line, isRecent, isStop: line.id === menuStop, isReported: isReported(line.id) };
          return <PartnerLineView key={key} {...shown} about={about} />;
        })}
      </div>
    </>
  );
}

/** Who wrote the lines, and in which call. */
interface About {
  readonly userId: number;
  readonly callId: string;
  readonly sharesLanguage: boolean;
}

/** Over a phone's video a line is shown for a while only, but stays in the log for screen readers (`data-past`). */
function OwnLineView({ line, isRecent }: { line: OwnLine; isRecent: boolean }): ReactNode {
  const isPast = usePast(line.state);
  // A failed line waits for a press.
  const isShown = line.state === "failed" || (isRecent && !isPast);
  return (
    <div className={styles.line} data-from="me" data-past={isShown ? undefined : true}>
      <div className={styles.bubble}>
        <p dir="auto" translate="no" data-state={line.state}>
          <OwnText text={line.text} spans={line.state === "sent" ? line.spans : []} isSent />
        </p>
        <LineNote line={line} />
      </div>
    </div>
  );
}

function PartnerLineView(props: {
  line: PartnerLine;
  about: About;
  isRecent: boolean;
  isReported: boolean;
  /** The one line whose menu Tab reaches; arrow keys lead to the other menus. */
  isStop: boolean;
}): ReactNode {
  const t = useT();
  const { line, about, isStop, isReported } = props;
  const isPast = usePast("other");
  const reported = { ...about, lineId: line.id, cover: line.cover };
  const isThreat = line.cover?.kind === "threat";
  // A threat waits for a press.
  const isShown = props.isRecent && (isThreat || !isPast);
  return (
    <div ref={leaveFocusToLog} className={styles.line} data-from="other" data-past={isShown ? undefined : true}>
      <div className={styles.bubble}>
        {line.cover ? (
          <CoveredText
            cover={line.cover}
            hidden={line.hidden}
            isReported={isReported}
            onReport={() => void reportLine(reported)}
            threatPress={<LeavePress line={line} />}
          />
        ) : (
          <p>
            <TranslatableText
              text={line.text}
              place={{ of: "line" }}
              writerId={about.userId}
              sharesLanguage={about.sharesLanguage}
              hidden={line.hidden}
              hidesContacts
            />
          </p>
        )}
        {line.cover === null && isReported && <small>{t("covered.reported")}</small>}
      </div>
      {line.cover === null && !isReported && <LineMenu isStop={isStop} onReport={() => void reportLine(reported)} />}
    </div>
  );
}

/** Leaves the call at once, and blocks and reports the partner for this line. */
function LeavePress({ line }: { line: PartnerLine }): ReactNode {
  const t = useT();
  const { exitOverLine } = useCallRuntime();
  return (
    <button type="button" onClick={() => exitOverLine(line.id, reasonOf(line.cover))}>
      {t("covered.leave")}
    </button>
  );
}

/** All covered lines of the partner under one cover. A report is about the newest. */
function FoldedLines(props: {
  lines: readonly [PartnerLine, ...PartnerLine[]];
  about: About;
  isReported: (lineId: string) => boolean;
}): ReactNode {
  const t = useT();
  const { stopCall } = useCallRuntime();
  const { lines, about } = props;
  const threat = lines.findLast(({ cover }) => cover?.kind === "threat");
  const newest = lines.at(-1) ?? lines[0];
  const reported = { ...about, lineId: newest.id, cover: newest.cover };
  const isReported = props.isReported(newest.id);
  const says = t("covered.lines", { n: lines.length, count: formatNumber(lines.length) });
  // A threat waits for a press, too.
  const isPast = usePast(`${lines.length} ${isReported}`) && isReported;
  return (
    <div className={styles.line} data-from="other" data-past={isPast || undefined}>
      <div className={styles.bubble}>
        <Cover says={says} isThreat={threat !== undefined}>
          {threat ? (
            <LeavePress line={threat} />
          ) : (
            <button type="button" onClick={stopCall}>
              {t("call.end")}
            </button>
          )}
          <ReportPress isReported={isReported} onPress={() => void reportLine(reported)} />
        </Cover>
      </div>
    </div>
  );
}

/** The actions for a line without a cover. */
function LineMenu({ isStop, onReport }: { isStop: boolean; onReport: () => void }): ReactNode {
  const t = useT();
  const label = t("covered.menu");
  function pressed(event: KeyboardEvent<HTMLElement>): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const log = event.currentTarget.closest("[role=log]");
    const buttons = [...(log?.querySelectorAll<HTMLElement>("[data-line-menu]") ?? [])];
    const next = buttons[buttons.findIndex((button) => button === document.activeElement) + step];
    if (step === 0 || event.currentTarget.ariaExpanded === "true") return;
    event.preventDefault();
    next?.focus();
  }
  return (
    <span ref={leaveFocusToLog}>
      <Menu
        label={label}
        widthPx={240}
        trigger={(trigger) => (
          <button
            {...trigger}
            type="button"
            className={styles.more}
            data-line-menu
            data-arrows
            tabIndex={isStop ? 0 : -1}
            aria-label={label}
            title={label}
            onKeyDown={pressed}
          >
            <EllipsisVertical size={18} aria-hidden="true" />
          </button>
        )}
      >
        <MenuItem icon={<Flag size={20} aria-hidden="true" />} onSelect={onReport}>
          {t("covered.reportLine")}
        </MenuItem>
      </Menu>
    </span>
  );
}

/** Whether a line was shown for its time, counted from its arrival or its last change of state. */
function usePast(state: string): boolean {
  const [past, setPast] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setPast(state), chatLineShownMs);
    return () => clearTimeout(timer);
  }, [state]);
  return past === state;
}

/** The outcome of the user's own line: not sent, not allowed, or changed on the way. */
function LineNote({ line }: { line: OwnLine }): ReactNode {
  const t = useT();
  const { sendChatMessage } = useCallRuntime();
  switch (line.state) {
    case "sending":
      return null;
    case "sent":
      if (line.told === null) return null;
      return (
        <small>
          <span>{toldText(line, t)}</span> <Dispute line={line} />
        </small>
      );
    case "failed":
      return (
        <small>
          {t("call.line.failed")}{" "}
          <button ref={leaveFocusToLog} type="button" onClick={() => sendChatMessage(line.text, line.id)}>
            {t("common.retry")}
          </button>
        </small>
      );
    case "refused":
      return (
        <small>
          <span>{refusal(line, t)}</span> {line.why === "abusive" && <Dispute line={line} />}
          {line.why === "muted" && <MuteAsk untilMs={line.until} />}
        </small>
      );
  }
}

/** What the partner did not get of a line, or that it was covered. */
function toldText({ text, told, spans }: Extract<OwnLine, { state: "sent" }>, t: Translate): string {
  if (told === "covered") return t("covered.own");
  const isAllHidden = textParts(text, spans).every((part) => part.finding !== null || part.text.trim() === "");
  return t(isAllHidden ? "covered.hiddenBy" : "covered.onlyDetails");
}

function Dispute({ line: { id, text } }: { line: OwnLine }): ReactNode {
  const own = { place: "call", text, clientId: id } as const;
  const isNoted = useIsDisputed(own);
  return <DisputePress isNoted={isNoted} onPress={() => void disputeText(own)} />;
}

function refusal({ why, until }: Extract<LineState, { state: "refused" }>, t: Translate): string {
  if (why === "abusive") return t("call.line.abusive");
  return until > 0 ? t("call.line.mutedUntil", { time: formatSoon(until) }) : t("call.line.muted");
}
