import { Check, MessageCircle, Phone, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import type { FollowStatus, Person, Presence } from "@fava/wire/people.ts";
import { callFriend } from "#features/rings/friend.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useCallShown } from "#lib/call-shown.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { PresenceAvatar } from "#ui/PresenceAvatar.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { openProfile, openThread } from "./person-links.ts";
import { type PersonRef, setFollow } from "./relation-actions.ts";
import { useRelation } from "./relations.ts";
import { useKnownPresence } from "./use-known-presence.ts";
import styles from "./People.module.css";

export function refOf(person: Person, isFan = false): PersonRef {
  return { userId: person.user_id, externalId: person.externalId, nickname: person.nickname, isFan };
}

/** A row with a person, `beside` it their state, and buttons at the end. */
export function PersonRow(props: {
  person: Person;
  /** Replaces the country below the name. */
  line?: string;
  /** A row of a recent call, whose buttons a phone shows below the person. */
  isRecent?: boolean;
  beside?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { person, isRecent = false } = props;
  const presence = useKnownPresence(useRelation(person.user_id)?.presence ?? null);
  return (
    <li className={styles.row} data-recent={isRecent || undefined}>
      <Who person={person} presence={presence} line={props.line ?? person.country_name} />
      <PresenceWord presence={presence} />
      {props.beside}
      <span className={styles.tools}>{props.children}</span>
    </li>
  );
}

/** Avatar, name, flag and a line; a press opens the profile. */
function Who({ person, presence, line }: { person: Person; presence: Presence | null; line: string }): ReactNode {
  const t = useT();
  return (
    <button
      type="button"
      className={styles.who}
      aria-label={t("people.profileOf", { name: isolate(person.nickname) })}
      onClick={() => openProfile(person.user_id)}
    >
      <PresenceAvatar src={person.avatar} name={person.nickname} presence={presence} sizePx={52} />
      <span className={styles.words}>
        <b>
          <bdi translate="no">{person.nickname}</bdi>
          <Flag src={person.country_flag} widthPx={18} />
        </b>
        <small>{line}</small>
      </span>
    </button>
  );
}

/** The presence dot in words for screen readers. */
function PresenceWord({ presence }: { presence: Presence | null }): ReactNode {
  const t = useT();
  if (presence !== "online" && presence !== "away") return null;
  return <VisuallyHidden>{t(presence === "online" ? "people.online" : "people.away")}</VisuallyHidden>;
}

export function MessageButton({ person }: { person: Person }): ReactNode {
  const t = useT();
  return (
    <IconButton
      label={t("people.messageName", { name: isolate(person.nickname) })}
      icon={<MessageCircle size={20} />}
      onClick={() => openThread(person.externalId)}
    />
  );
}

/** Rings a friend; not during a call. */
export function CallButton({ person }: { person: Person }): ReactNode {
  const t = useT();
  const isCallShown = useCallShown();
  const { user_id: userId, externalId, nickname, avatar } = person;
  if (isCallShown) return null;
  return (
    <IconButton
      label={t("ring.callName", { name: isolate(nickname) })}
      icon={<Phone size={20} />}
      onClick={() => callFriend({ userId, externalId, nickname, avatar })}
    />
  );
}

/** The label of the follow button by its state. */
export const followTexts: Readonly<Record<FollowStatus, Key>> = {
  0: "people.follow",
  1: "people.following",
  2: "people.friends",
};

/** Follows or unfollows on a press. */
export function FollowButton({ person, isFan = false }: { person: Person; isFan?: boolean }): ReactNode {
  const t = useT();
  const followStatus = useRelation(person.user_id)?.followStatus ?? person.followStatus;
  const on = followStatus > 0;
  return (
    <Button
      kind={on ? "quiet" : "ink"}
      size="small"
      pill
      className={styles.small ?? ""}
      aria-pressed={on}
      icon={on ? <Check size={17} aria-hidden="true" /> : <UserPlus size={17} aria-hidden="true" />}
      onClick={() => void setFollow(refOf(person, isFan), !on)}
    >
      {t(isFan && !on ? "people.followBack" : followTexts[followStatus])}
      <VisuallyHidden> {isolate(person.nickname)}</VisuallyHidden>
    </Button>
  );
}
