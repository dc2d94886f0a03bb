import { Link2, PhoneMissed, Video } from "lucide-react";
import type { ReactNode } from "react";
import type { Person } from "@fava/wire/people.ts";
import { callFriend } from "#features/rings/friend.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { PresenceAvatar } from "#ui/PresenceAvatar.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { HomeKindWords } from "./HomeKindWords.tsx";
import { HomePeoplePlace } from "./HomePeoplePlace.tsx";
import { type Face, type HomePeopleShown, type MeetCard, useHomePeople } from "./home-people.ts";
import { formatLeft } from "./recent-times.ts";
import { startMeeting } from "./rematch.ts";
import { TopicHourCard } from "./TopicHourCard.tsx";
import { useKnownPresence } from "./use-known-presence.ts";
import styles from "./HomePeople.module.css";

/**
 * Below Start: who wants to meet again too, whose call was missed, which friends are online, an invitation, kind words,
 * and the next hour.
 */
export function HomePeople(): ReactNode {
  const shown = useHomePeople();
  return (
    <>
      {shown ? <People {...shown} /> : <HomePeoplePlace />}
      <HomeKindWords unread={shown?.unreadWords} />
      {shown && <TopicHourCard />}
    </>
  );
}

function People({ card, faces }: Pick<HomePeopleShown, "card" | "faces">): ReactNode {
  const t = useT();
  if (!card && faces.length === 0)
    return (
      <Button kind="plain" size="small" icon={<Link2 size={18} aria-hidden="true" />} onClick={invite}>
        {t("invite.title")}
      </Button>
    );
  return (
    <section className={styles.people} aria-label={t("people.home")}>
      {card && <MeetAgain card={card} />}
      <ul className={styles.row}>
        {faces.map((face) => (
          <li key={face.person.user_id}>
            <FaceButton face={face} />
          </li>
        ))}
        <li>
          <button
            type="button"
            className={styles.face}
            data-kind="invite"
            aria-label={t("invite.title")}
            onClick={invite}
          >
            <span>
              <Link2 size={24} aria-hidden="true" />
            </span>
            {t("invite.short")}
          </button>
        </li>
      </ul>
    </section>
  );
}

function MeetAgain({ card: { person, isWaitedFor, untilMs } }: { card: MeetCard }): ReactNode {
  const t = useT();
  const nowMs = useNow(minuteMs);
  return (
    <div className={styles.card}>
      <Avatar src={person.avatar} name={person.nickname} sizePx={48} />
      <p>
        <b>
          <bdi translate="no">{person.nickname}</bdi>
        </b>
        <small>{t("people.left", { time: formatLeft(untilMs, nowMs) })}</small>
      </p>
      <Button
        kind="go"
        size="small"
        pill
        className={styles.start}
        icon={<Video size={18} fill="currentColor" aria-hidden="true" />}
        onClick={() => meet(person)}
      >
        {t(isWaitedFor ? "people.waits" : "people.both")}
        <VisuallyHidden> {isolate(person.nickname)}</VisuallyHidden>
      </Button>
    </div>
  );
}

/** What a press does, for screen readers. Sighted users see a mark on the face. */
const labels = {
  meet: "people.bothName",
  missed: "people.missedName",
  friend: "ring.callName",
} as const satisfies Record<Face["kind"], Key>;

function FaceButton({ face: { kind, person } }: { face: Face }): ReactNode {
  const t = useT();
  const { nickname, avatar } = person;
  const presence = useKnownPresence(kind === "friend" ? "online" : null);
  return (
    <button
      type="button"
      className={styles.face}
      data-kind={kind}
      aria-label={t(labels[kind], { name: isolate(nickname) })}
      onClick={() => (kind === "meet" ? meet(person) : call(person))}
    >
      <span>
        <PresenceAvatar src={avatar} name={nickname} presence={presence} sizePx={56} />
        {kind === "missed" && <PhoneMissed size={14} aria-hidden="true" />}
        {kind === "meet" && <Video size={14} aria-hidden="true" />}
      </span>
      <bdi translate="no">{nickname}</bdi>
    </button>
  );
}

function invite(): void {
  void openOverlay("invite");
}

function meet({ user_id: userId, nickname }: Person): void {
  startMeeting({ userId, nickname });
}

function call({ user_id: userId, externalId, nickname, avatar }: Person): void {
  callFriend({ userId, externalId, nickname, avatar });
}
