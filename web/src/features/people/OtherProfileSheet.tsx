import {
  Ban,
  Check,
  ChevronLeft,
  ChevronRight,
  Flag as FlagIcon,
  Heart,
  MessageCircle,
  MessagesSquare,
  Phone,
  UserPlus,
} from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { userInfo } from "@fava/wire/endpoints/profile.ts";
import type { OtherUser } from "@fava/wire/people.ts";
import { callFriend } from "#features/rings/friend.ts";
import { unmuteFriend } from "#features/rings/incoming-rings.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useCallShown, useSheetTheme } from "#lib/call-shown.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { OfficialMark } from "#ui/OfficialMark.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { followTexts } from "./PersonRow.tsx";
import { openReport, openThread, useChosen } from "./person-links.ts";
import { blockPerson, type PersonRef, setFollow, setLike } from "./relation-actions.ts";
import { noteRelations, useRelation } from "./relations.ts";
import { sharedText } from "./shared-tags.ts";
import styles from "./OtherProfile.module.css";

const close = () => closeOverlay("other-profile");

/** Another user's profile for strangers and friends: never when they were last online, nor their birthday. */
export function OtherProfileSheet(): ReactNode {
  const { profile } = useChosen();
  const userId = useUser()?.user_id;
  return profile !== null && userId !== undefined && <OtherProfile key={profile} userId={userId} otherId={profile} />;
}

function OtherProfile({ userId, otherId }: { userId: number; otherId: number }): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const { data, error, isPending, refetch } = useEndpointQuery(
    userInfo,
    { userId, otherId },
    { onAnswer: (user) => noteRelations([user]) },
  );
  const hidden = useRelation(otherId)?.hidden ?? false;
  useEffect(() => {
    // One of the two has blocked the other, perhaps on another device: there is nothing to show.
    if (hidden) close();
  }, [hidden]);
  if (data) return <Shown user={data} />;
  // The server does not show this person to the user, and never says why.
  const gone = error?.code === codes.forbidden;
  return (
    <Sheet {...theme} widthPx={480} title={t(gone ? "other.gone" : "other.title")} onClose={close}>
      {isPending && (
        <div className={styles.loading} role="status">
          <VisuallyHidden>{t("other.loading")}</VisuallyHidden>
          <Skeleton height="280px" />
          <Skeleton height="56px" />
          <Skeleton height="72px" />
        </div>
      )}
      {gone && <p>{t("other.goneText")}</p>}
      {error && !gone && (
        <div className={styles.loading} role="alert">
          <p>{t("other.notLoaded")}</p>
          <Button kind="outline" size="small" onClick={() => void refetch()}>
            {t("common.retry")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Shown({ user }: { user: OtherUser }): ReactNode {
  const t = useT();
  const theme = useSheetTheme();
  const [photo, setPhoto] = useState<number | null>(null);
  const name = isolate(user.nickname);
  const person: PersonRef = { userId: user.user_id, externalId: user.externalId, nickname: user.nickname };
  const shared = sharedText(t, user.shared);
  return (
    <Sheet
      {...theme}
      widthPx={480}
      title={user.nickname}
      hero={<Picture user={user} />}
      lead={<Place user={user} />}
      onClose={close}
      foot={user.official === 0 && <Quiet user={user} person={person} />}
    >
      {user.official === 0 ? <Acts user={user} person={person} /> : <p>{t("other.officialNever")}</p>}
      {shared !== null && (
        <p className={styles.shared}>
          <MessagesSquare size={20} aria-hidden="true" />
          {shared}
        </p>
      )}
      {user.about !== "" && (
        <p className={styles.about} dir="auto">
          {user.about}
        </p>
      )}
      {user.photos.length > 0 && (
        <ul className={styles.photos} aria-label={t("other.photos")}>
          {user.photos.map(({ id, thumb }, index) => (
            <li key={id}>
              <button type="button" onClick={() => setPhoto(index)}>
                <img src={thumb} alt={t("other.photo", { n: index + 1, name })} loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {photo !== null && (
        <PhotoViewer photos={user.photos} name={name} at={photo} onGo={setPhoto} onClose={() => setPhoto(null)} />
      )}
    </Sheet>
  );
}

function Picture({ user }: { user: OtherUser }): ReactNode {
  const [failed, setFailed] = useState(false);
  if (user.avatar !== "" && !failed) {
    return <img className={styles.picture} src={user.avatar} alt="" onError={() => setFailed(true)} />;
  }
  return (
    <span className={styles.letter}>
      <Avatar src="" name={user.nickname} sizePx={160} />
    </span>
  );
}

function Place({ user }: { user: OtherUser }): ReactNode {
  if (user.official === 1) return <OfficialMark />;
  return (
    <span className={styles.place}>
      <Flag src={user.country_flag} widthPx={18} />
      <bdi>{user.country_name}</bdi>
      {user.location !== "" && (
        <>
          <span aria-hidden="true">·</span>
          <bdi>{user.location}</bdi>
        </>
      )}
    </span>
  );
}

interface AboutPerson {
  user: OtherUser;
  person: PersonRef;
}

function Acts({ user, person }: AboutPerson): ReactNode {
  const t = useT();
  const relation = useRelation(user.user_id) ?? user;
  const isCallShown = useCallShown();
  const name = isolate(user.nickname);
  const follows = relation.followStatus > 0;
  const liked = relation.likeStatus === 1;
  const mayWrite = relation.followStatus === 2 ? "yes" : user.can_message;
  return (
    <>
      <div className={styles.acts}>
        <Button
          kind={follows ? "quiet" : "ink"}
          aria-pressed={follows}
          icon={follows ? <Check size={19} aria-hidden="true" /> : <UserPlus size={19} aria-hidden="true" />}
          onClick={() => void setFollow(person, !follows)}
        >
          {t(followTexts[relation.followStatus])}
        </Button>
        <Button
          kind="quiet"
          icon={<MessageCircle size={19} aria-hidden="true" />}
          aria-disabled={mayWrite === "no"}
          aria-describedby={mayWrite === "yes" ? undefined : "other-writing"}
          onClick={() => mayWrite !== "no" && openThread(user.externalId)}
        >
          {t("other.message")}
        </Button>
        <button
          type="button"
          className={styles.like}
          aria-label={t("people.likeName", { name })}
          title={t("people.like")}
          aria-pressed={liked}
          onClick={() => void setLike(person, !liked)}
        >
          <Heart size={22} fill={liked ? "currentColor" : "none"} aria-hidden="true" />
        </button>
        {relation.followStatus === 2 && !isCallShown && (
          <Button
            kind="quiet"
            className={styles.call ?? ""}
            icon={<Phone size={19} aria-hidden="true" />}
            onClick={() => callFriend({ ...person, externalId: user.externalId, avatar: user.avatar })}
          >
            {t("ring.call")}
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
      </div>
      {mayWrite !== "yes" && (
        <p id="other-writing" className={styles.writing}>
          {mayWrite === "request" ? t("other.requestNote", { name }) : t("other.noMessage")}
        </p>
      )}
      {user.ring_muted_until !== undefined && <Muted person={person} untilMs={user.ring_muted_until} />}
    </>
  );
}

/** Says that this friend's rings are muted today, with an undo. */
function Muted({ person, untilMs }: { person: PersonRef; untilMs: number }): ReactNode {
  const t = useT();
  const [isOver, setOver] = useState(false);
  if (isOver) return null;
  return (
    <p className={styles.writing}>
      {t("ring.muted", { name: isolate(person.nickname), time: formatTime(untilMs) })}{" "}
      <button type="button" className={styles.link} onClick={() => void unmuteFriend(person).then(setOver)}>
        {t("ring.allow")}
      </button>
    </p>
  );
}

/** The account number with block and report: small, and visible at any scroll position. */
function Quiet({ user, person }: AboutPerson): ReactNode {
  const t = useT();
  const name = <VisuallyHidden> {isolate(user.nickname)}</VisuallyHidden>;
  return (
    <div className={styles.quiet}>
      <span>{t("other.number", { number: isolate(user.user_no) })}</span>
      <Button
        kind="plain"
        size="small"
        className={styles.small ?? ""}
        icon={<Ban size={18} aria-hidden="true" />}
        onClick={() => void blockPerson(person)}
      >
        {t("other.block")}
        {name}
      </Button>
      <Button
        kind="plain"
        size="small"
        className={styles.small ?? ""}
        icon={<FlagIcon size={18} aria-hidden="true" />}
        onClick={() => openReport({ userId: user.user_id, nickname: user.nickname })}
      >
        {t("other.report")}
        {name}
      </Button>
      <a href={`/notice#${user.user_no}`} target="_blank" rel="noopener" className={styles.notice}>
        {t("notice.title")}
        <VisuallyHidden>({t("common.newWindow")})</VisuallyHidden>
      </a>
    </div>
  );
}

/** One photo in large; arrow keys go to the next and previous, around both ends. */
function PhotoViewer(props: {
  photos: OtherUser["photos"];
  name: string;
  at: number;
  onGo: (at: number) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const { photos, name, at, onGo } = props;
  const count = photos.length;
  const photo = photos[at];
  const previous = (at - 1 + count) % count;
  const next = (at + 1) % count;
  useEffect(() => {
    // On the window, because the title has the focus when the photos open; captured, because a dialog stops arrow keys.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      event.preventDefault();
      const forwards = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
      onGo(event.key === forwards ? next : previous);
    };
    window.addEventListener("keydown", pressed, { capture: true });
    return () => window.removeEventListener("keydown", pressed, { capture: true });
  }, [onGo, next, previous]);
  return (
    <Sheet theme="dark" widthPx={920} title={t("other.viewer", { name })} onClose={props.onClose}>
      <div className={styles.viewer}>
        {photo && <img key={photo.id} src={photo.url} alt={t("other.photo", { n: at + 1, name })} />}
        {count > 1 && (
          <p className={styles.steps}>
            <IconButton
              kind="filled"
              label={t("other.previous")}
              icon={<ChevronLeft size={24} className="flip" />}
              onClick={() => onGo(previous)}
            />
            <span role="status">{t("other.of", { n: formatNumber(at + 1), count: formatNumber(count) })}</span>
            <IconButton
              kind="filled"
              label={t("other.next")}
              icon={<ChevronRight size={24} className="flip" />}
              onClick={() => onGo(next)}
            />
          </p>
        )}
      </div>
    </Sheet>
  );
}
