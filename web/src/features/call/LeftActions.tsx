import { Check, Flag, UserPlus, Video } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { recentMs } from "@fava/wire/limits.ts";
import type { FollowStatus } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { startMeeting } from "#lib/meet-again.ts";
import { askMeetWish, meetWishOf, noteRecent, useMeetWish, wishToMeet } from "#lib/meet-wishes.ts";
import { openReport } from "#lib/person-links.ts";
import { setFollow } from "#lib/relation-actions.ts";
import { useRelation } from "#lib/relations.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import type { PreviousCall } from "./call-state.ts";
import styles from "./Panels.module.css";

const followTexts: Readonly<Record<FollowStatus, Key>> = {
  0: "people.follow",
  1: "people.following",
  2: "people.friends",
};

/** What can still be done about the person who was here: follow, meet again, report (rule CALL-88). */
export function LeftActions({ previous: { match } }: { previous: PreviousCall }): ReactNode {
  const t = useT();
  const { user_id: userId, nickname } = match.remote;
  const followStatus = useRelation(userId)?.followStatus ?? 0;
  const meet = useMeetWish(userId)?.meet ?? "none";
  useEffect(() => {
    const owner = new AbortController();
    void askMeetWish(userId, owner.signal);
    return () => owner.abort();
  }, [userId]);
  function pressMeet(): void {
    if (meet === "both") return startMeeting({ userId, nickname });
    // The two have just met, whether the server's list says so by now or not.
    if (!meetWishOf(userId)) noteRecent([{ person: { user_id: userId }, meet: "none", until: Date.now() + recentMs }]);
    void wishToMeet(userId, meet !== "asked");
  }
  const name = <VisuallyHidden> {isolate(nickname)}</VisuallyHidden>;
  const isAsked = meet === "asked";
  const FollowIcon = followStatus === 0 ? UserPlus : Check;
  const MeetIcon = isAsked ? Check : Video;
  return (
    <div className={styles.chips}>
      <button
        type="button"
        aria-pressed={followStatus > 0}
        onClick={() => void setFollow({ userId, nickname }, followStatus === 0)}
      >
        <FollowIcon size={16} aria-hidden="true" />
        {t(followTexts[followStatus])}
        {name}
      </button>
      <button type="button" aria-pressed={meet === "both" ? undefined : isAsked} onClick={pressMeet}>
        <MeetIcon size={16} aria-hidden="true" />
        {t(meet === "both" ? "people.both" : isAsked ? "people.asked" : "people.meet")}
        {name}
      </button>
      <button type="button" onClick={() => openReport({ userId, nickname, callId: match.id })}>
        <Flag size={16} aria-hidden="true" />
        {t("msg.report")}
        {name}
      </button>
    </div>
  );
}
