import { Check, Video } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { Conversation } from "@fava/wire/messages.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { startMeeting } from "#lib/meet-again.ts";
import { askMeetWish, useMeetWish, wishToMeet } from "#lib/meet-wishes.ts";
import { useOverCall } from "#lib/over-call.ts";
import { Button } from "#ui/Button.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { useMinute } from "./use-minute.ts";
import styles from "./MeetButton.module.css";

/**
 * "Meet again" with the person of a conversation, as among the recent people: only after a call of the last 24 hours,
 * and not from within a call. Green when both want to (rule MSG-81). A phone has room for its picture alone.
 */
export function MeetButton({ conversation }: { conversation: Conversation }): ReactNode {
  const t = useT();
  const { userId, userProfile } = conversation;
  const wish = useMeetWish(userId);
  const isOverCall = useOverCall();
  const nowMs = useMinute();
  useEffect(() => {
    const owner = new AbortController();
    void askMeetWish(userId, owner.signal);
    return () => owner.abort();
  }, [userId]);
  if (!wish || wish.untilMs <= nowMs || isOverCall) return null;
  const { meet, isWaitedFor } = wish;
  const isBoth = meet === "both";
  const isAsked = meet === "asked";
  const press = () => {
    if (isBoth) startMeeting({ userId, nickname: userProfile.nick });
    else void wishToMeet(userId, !isAsked);
  };
  const text = isBoth ? (isWaitedFor ? "people.waits" : "people.both") : isAsked ? "people.asked" : "people.meet";
  return (
    <Button
      kind={isBoth ? "go" : "quiet"}
      size="small"
      pill
      className={styles.meet ?? ""}
      title={t(text)}
      aria-pressed={isBoth ? undefined : isAsked}
      icon={
        isAsked ? (
          <Check size={19} aria-hidden="true" />
        ) : (
          <Video size={19} fill={isBoth ? "currentColor" : "none"} aria-hidden="true" />
        )
      }
      onClick={press}
    >
      <span className={styles.meetText}>{t(text)}</span>
      <VisuallyHidden> {isolate(userProfile.nick)}</VisuallyHidden>
    </Button>
  );
}
