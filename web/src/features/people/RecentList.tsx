import { Ban, Check, Clock, Flag, Video } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { meetAgain, type MeetState } from "@fava/wire/endpoints/social.ts";
import { call } from "#lib/api/call.ts";
import { formatSpan, isolate } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { startMeeting } from "#lib/meet-again.ts";
import { openReport } from "#lib/person-links.ts";
import { blockPerson, tellFailure } from "#lib/relation-actions.ts";
import { useRelations } from "#lib/relations.ts";
import { currentUser } from "#lib/session.ts";
import { onSocialFrame } from "#lib/social-frames.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ListFrame, Nobody } from "./ListFrame.tsx";
import { idOfRecent, loadRecent, type RecentRow } from "./people-lists.ts";
import { PresenceWord, refOf, Who } from "./PersonRow.tsx";
import { formatAgo, formatLeft } from "./recent-times.ts";
import { useMinute } from "./use-minute.ts";
import { usePagedList } from "./use-paged-list.ts";
import styles from "./People.module.css";

/** Who was met in the last 24 hours: meet again when both want to, report and block late (rules PEOPLE-111, PEOPLE-112). */
export function RecentList(): ReactNode {
  const t = useT();
  const nowMs = useMinute();
  const relations = useRelations();
  const shown = usePagedList(loadRecent, idOfRecent);
  const { change, list } = shown;
  const setMeet = (userId: number, meet: MeetState) =>
    change((row) => (row.person.user_id === userId ? { ...row, meet } : row));
  useEffect(
    () =>
      onSocialFrame((frame) => {
        if (frame.type !== "social" || frame.event.kind !== "meet") return;
        const { userId } = frame.event;
        change((row) => (row.person.user_id === userId ? { ...row, meet: "both" } : row));
      }),
    [change],
  );
  const isShown = ({ person, until }: RecentRow) => until > nowMs && !relations.get(person.user_id)?.hidden;
  return (
    <>
      <p className={styles.intro}>{t("people.recentIntro")}</p>
      <ListFrame
        single
        shown={shown}
        rows={list.status === "ready" ? list.rows.filter(isShown) : []}
        texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
        empty={
          <Nobody
            icon={<Clock size={44} strokeWidth={1.6} />}
            title={t("people.empty.recent")}
            text={t("people.emptyText.recent")}
          />
        }
      >
        {(row) => <Recent key={row.person.user_id} row={row} nowMs={nowMs} setMeet={setMeet} />}
      </ListFrame>
    </>
  );
}

interface RecentProps {
  row: RecentRow;
  nowMs: number;
  setMeet: (userId: number, meet: MeetState) => void;
}

function Recent({ row, nowMs, setMeet }: RecentProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { person, seconds } = row;
  const name = isolate(person.nickname);
  const ago = formatAgo(row.met_at, nowMs, language);
  const line = seconds < 60 ? t("people.metShort", { ago }) : t("people.met", { ago, time: formatSpan(seconds) });
  return (
    <li className={styles.row} data-recent="">
      <Who person={person} line={line} />
      <PresenceWord userId={person.user_id} />
      <span className={styles.left}>{t("people.left", { time: formatLeft(row.until, nowMs) })}</span>
      <span className={styles.tools}>
        <MeetButton row={row} setMeet={setMeet} />
        <IconButton
          label={t("people.reportName", { name })}
          icon={<Flag size={20} />}
          onClick={() => openReport({ userId: person.user_id, nickname: person.nickname, callId: row.call_id })}
        />
        <IconButton
          label={t("people.blockName", { name })}
          icon={<Ban size={20} />}
          onClick={() => void blockPerson(refOf(person))}
        />
      </span>
    </li>
  );
}

/** Green only when both want to; until then the other does not learn of it. */
function MeetButton({ row, setMeet }: Pick<RecentProps, "row" | "setMeet">): ReactNode {
  const t = useT();
  const { person, meet } = row;
  const userId = person.user_id;
  async function ask(on: 0 | 1): Promise<void> {
    const user = currentUser();
    if (!user) return;
    setMeet(userId, on === 1 ? "asked" : "none");
    try {
      const answer = await call(meetAgain, { user_id: user.user_id, other_id: userId, on });
      setMeet(userId, answer.meet);
    } catch (error) {
      setMeet(userId, meet);
      tellFailure(error);
    }
  }
  const name = <VisuallyHidden> {isolate(person.nickname)}</VisuallyHidden>;
  const look = { size: "small", pill: true, className: styles.small ?? "" } as const;
  if (meet === "both") {
    return (
      <Button
        {...look}
        kind="go"
        icon={<Video size={18} fill="currentColor" aria-hidden="true" />}
        onClick={() => startMeeting({ userId, nickname: person.nickname })}
      >
        {t("people.both")}
        {name}
      </Button>
    );
  }
  const asked = meet === "asked";
  return (
    <Button
      {...look}
      kind={asked ? "quiet" : "outline"}
      aria-pressed={asked}
      icon={asked ? <Check size={18} aria-hidden="true" /> : <Video size={18} aria-hidden="true" />}
      onClick={() => void ask(asked ? 0 : 1)}
    >
      {t(asked ? "people.asked" : "people.meet")}
      {name}
    </Button>
  );
}
