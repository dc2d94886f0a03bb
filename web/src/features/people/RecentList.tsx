import { Ban, Check, Clock, Flag, Video } from "lucide-react";
import type { ReactNode } from "react";
import { formatSpan, isolate } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { startMeeting } from "#lib/meet-again.ts";
import { useMeetWish, wishToMeet } from "#lib/meet-wishes.ts";
import { openReport } from "#lib/person-links.ts";
import { blockPerson } from "#lib/relation-actions.ts";
import { useRelations } from "#lib/relations.ts";
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
  const { list } = shown;
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
        {(row) => <Recent key={row.person.user_id} row={row} nowMs={nowMs} />}
      </ListFrame>
    </>
  );
}

function Recent({ row, nowMs }: { row: RecentRow; nowMs: number }): ReactNode {
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
        <MeetButton row={row} />
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
function MeetButton({ row: { person, meet: listed } }: { row: RecentRow }): ReactNode {
  const t = useT();
  const userId = person.user_id;
  const { meet, isWaitedFor } = useMeetWish(userId) ?? { meet: listed, isWaitedFor: false };
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
        {t(isWaitedFor ? "people.waits" : "people.both")}
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
      onClick={() => void wishToMeet(userId, !asked)}
    >
      {t(asked ? "people.asked" : "people.meet")}
      {name}
    </Button>
  );
}
