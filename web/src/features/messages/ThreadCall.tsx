import { Check, Phone, Video, VideoOff } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { Conversation } from "@fava/wire/messages.ts";
import { useRelation } from "#features/people/relations.ts";
import {
  type RematchRequest,
  requestRematch,
  sendRematchRequest,
  useRematchRequest,
} from "#features/people/rematch-requests.ts";
import { startMeeting } from "#features/people/rematch.ts";
import { callFriend } from "#features/rings/friend.ts";
import { useCallShown } from "#lib/call-shown.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./Thread.module.css";

/**
 * The one way to a call with the partner, not during a call: Start if both want to meet again, otherwise a ring for a
 * friend, otherwise "Meet again".
 */
export function ThreadCall({ conversation }: { conversation: Conversation }): ReactNode {
  const { userId } = conversation;
  const wish = useWish(userId);
  const isFriend = useIsFriend(conversation);
  const isCallShown = useCallShown();
  useEffect(() => {
    const owner = new AbortController();
    void requestRematch(userId, owner.signal);
    return () => owner.abort();
  }, [userId]);
  if (isCallShown) return null;
  if (isFriend && wish?.meet !== "both") return <CallButton conversation={conversation} />;
  return wish && <MeetButton conversation={conversation} wish={wish} />;
}

/** The wish to meet again; null without a call of the last 24 hours, and while the two are kept apart. */
function useWish(userId: number): RematchRequest | null {
  const wish = useRematchRequest(userId);
  const nowMs = useNow(minuteMs);
  return wish && wish.untilMs > nowMs && wish.apartUntilMs === null ? wish : null;
}

function useIsFriend({ userId, followStatus }: Conversation): boolean {
  return (useRelation(userId)?.followStatus ?? followStatus) === 2;
}

function CallButton({ conversation }: { conversation: Conversation }): ReactNode {
  const t = useT();
  const { userId, externalId, userProfile } = conversation;
  const { nick: nickname, avatar } = userProfile;
  return (
    <IconButton
      label={t("ring.callName", { name: isolate(nickname) })}
      icon={<Phone size={21} aria-hidden="true" />}
      onClick={() => callFriend({ userId, externalId, nickname, avatar })}
    />
  );
}

/** Green when both want to, as in the list of recent people. */
function MeetButton({ conversation, wish }: { conversation: Conversation; wish: RematchRequest }): ReactNode {
  const t = useT();
  const { userId, userProfile } = conversation;
  const { meet, isWaitedFor } = wish;
  const isBoth = meet === "both";
  const isAsked = meet === "asked";
  const press = () => {
    if (isBoth) startMeeting({ userId, nickname: userProfile.nick });
    else void sendRematchRequest(userId, !isAsked);
  };
  const text = isBoth ? (isWaitedFor ? "people.waits" : "people.both") : isAsked ? "people.asked" : "people.meet";
  return (
    <Button
      kind={isBoth ? "go" : "quiet"}
      size="small"
      pill
      className={styles.meet ?? ""}
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
      {t(text)}
      <VisuallyHidden> {isolate(userProfile.nick)}</VisuallyHidden>
    </Button>
  );
}

/** "Meet again" in the menu, unless the button in the head has it; and how to withdraw it. */
export function MeetItem({ conversation }: { conversation: Conversation }): ReactNode {
  const t = useT();
  const { userId } = conversation;
  const wish = useWish(userId);
  const isFriend = useIsFriend(conversation);
  if (!wish || (!isFriend && wish.meet !== "both")) return null;
  const isWanted = wish.meet !== "none";
  return (
    <MenuItem
      icon={isWanted ? <VideoOff size={20} aria-hidden="true" /> : <Video size={20} aria-hidden="true" />}
      onSelect={() => void sendRematchRequest(userId, !isWanted)}
    >
      {t(isWanted ? "msg.meetNo" : "people.meet")}
    </MenuItem>
  );
}
