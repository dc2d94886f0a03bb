import { userInfo } from "@fava/wire/endpoints/profile.ts";
import type { FollowStatus, RemoteUser } from "@fava/wire/people.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import {
  Ban,
  Check,
  Eye,
  EyeOff,
  Flag as FlagIcon,
  Heart,
  Hourglass,
  ImageOff,
  Mars,
  MicOff,
  Play,
  UserPlus,
  Venus,
  VolumeX,
  WifiOff,
} from "lucide-react";
import { memo, type ReactNode, type RefObject, useEffect } from "react";
import type { InRoom } from "#features/call/machine/call-state.ts";
import type { CallView } from "#features/call/machine/call-store.ts";
import { FloatingReactions } from "#features/call/play/FloatingReactions.tsx";
import { openProfile, openReport } from "#features/people/person-links.ts";
import { blockPerson, setFollow, setLike } from "#features/people/relation-actions.ts";
import { noteRelations, type Relation, useRelation } from "#features/people/relations.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { currentUser } from "#lib/session.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { halfSecondMs, useTimed } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { CallMenu } from "./CallMenu.tsx";
import styles from "./CallStage.module.css";
import { Iris } from "./Meeting.tsx";
import { OtherPaused } from "./PausedPicture.tsx";
import { playAgain, usePlayback } from "./remote-playback.ts";
import shieldStyles from "./Shield.module.css";
import { useFaded } from "./use-fading.ts";
import { type VideoShown, isCovered, showVideoOf, useVideoShown } from "./video-shown.ts";

interface RemoteVideoProps {
  video: RefObject<HTMLVideoElement | null>;
  other: CallView["other"];
  room: InRoom;
  /** The call screen is drawn: names and controls are shown as well. */
  stands: boolean;
}

/** What lies over the remote video: the partner's name, or their avatar while the camera is off (rule CALL-6). */
export const RemoteVideo = memo(function RemoteVideo({ video, other, room, stands }: RemoteVideoProps): ReactNode {
  const t = useT();
  const { roomId } = room.match;
  const { blocked } = usePlayback(roomId);
  const isSmall = useIsSmallWindow();
  const { remote: person } = room.match;
  const relation = useRelationInCall(person, stands);
  const name = isolate(person.nickname);
  const { camera, away, pausedAtMs } = other;
  const isOff = camera !== "on" || away;
  const offText = away ? "call.away" : camera === "switching" ? "call.cameraSwitching" : "call.cameraOff";
  const covered = room.status === "in-call" && isCovered(other);
  const shown = useVideoShown(room);
  const blurred = shown !== "shown";
  const frozen = room.status === "connecting" || room.media === "reconnecting";
  // While no media arrives, the microphone does not matter.
  const isMicSilent = other.microphone !== "on" && !frozen;
  const micText = other.microphone === "switching" ? "call.micSwitching" : "call.micOff";
  const menu = <CallMenu match={room.match} video={blurred || covered ? null : video} />;
  return (
    <>
      {covered && (
        <div className={styles.covered}>
          {/* While no media arrives, the state of their camera is unknown. */}
          {!frozen && isOff && (
            <>
              <Avatar src={blurred ? "" : person.avatar} name={person.nickname} sizePx={120} />
              <p>{t(offText, { name })}</p>
            </>
          )}
        </div>
      )}
      {/* A blurred video has a heading of its own. */}
      {!frozen && !blurred && (
        <h1 className="visually-hidden">{t("call.matched", { name, country: person.country_name })}</h1>
      )}
      {covered && !isOff && !frozen && pausedAtMs !== null && (
        <OtherPaused nickname={person.nickname} atMs={pausedAtMs} />
      )}
      {room.status === "in-call" && !covered && (shown === "shown" || (shown === "checking" && !frozen)) && (
        <Iris isClosed={shown === "checking"} />
      )}
      {!covered && !frozen && blocked !== "all" && <ShieldPanel room={room} shown={shown} />}
      {blocked && (
        <button type="button" className={styles.play} onClick={() => playAgain(roomId)}>
          {blocked === "all" ? (
            <Play size={28} fill="currentColor" aria-hidden="true" />
          ) : (
            <VolumeX size={28} aria-hidden="true" />
          )}
          <span>{t(blocked === "all" ? "call.play" : "call.hear")}</span>
        </button>
      )}
      {stands && room.status === "in-call" && (
        <>
          {/* Nothing may cover what the frame checks say. */}
          {!frozen && !blurred && <FloatingReactions whose="other" />}
          <div className={styles.head}>
            <PersonBadge
              person={person}
              relation={relation}
              faceless={blurred}
              state={isSmall && isMicSilent ? t(micText) : null}
            >
              {isSmall && menu}
            </PersonBadge>
            {!isSmall && <PersonActions match={room.match}>{menu}</PersonActions>}
            <div className={styles.meta} data-fades>
              {room.shield.other_still && !frozen && !covered && (
                <Chip tone="video">
                  <ImageOff size={18} aria-hidden="true" />
                  <span>{t("shield.stillOther", { name })}</span>
                </Chip>
              )}
              {!isSmall && isMicSilent && (
                <Chip tone="video">
                  <MicOff size={18} aria-hidden="true" />
                  <span>{t(micText)}</span>
                </Chip>
              )}
              <Elapsed roomId={roomId} sinceMs={room.startedAtMs} />
            </div>
          </div>
        </>
      )}
    </>
  );
});

/** Interval of a clock that nobody sees. Each change makes the browser lay out and paint the page. */
const fadedClockMs = 10_000;

function Elapsed({ roomId, sinceMs }: { roomId: string; sinceMs: number }): ReactNode {
  const t = useT();
  const isFaded = useFaded(roomId);
  const clock = useTimed(isFaded ? fadedClockMs : halfSecondMs, () => formatClock((Date.now() - sinceMs) / 1_000));
  return (
    <Chip tone="video" role="timer" aria-label={t("call.elapsed")} translate="no">
      <i aria-hidden="true" />
      {clock}
    </Chip>
  );
}

/** Report and block beside the name: one press each, without covering the face. */
function PersonActions({ match, children }: { match: MatchedPush; children: ReactNode }): ReactNode {
  const t = useT();
  const { user_id: userId, nickname } = match.remote;
  const person = { userId, nickname };
  const name = isolate(nickname);
  return (
    <div className={styles.actions} data-fades>
      <IconButton
        kind="video"
        label={t("people.reportName", { name })}
        icon={<FlagIcon size={22} />}
        onClick={() => openReport({ ...person, callId: match.id })}
      />
      <IconButton
        kind="video"
        label={t("people.blockName", { name })}
        icon={<Ban size={22} />}
        onClick={() => void blockPerson(person)}
      />
      {children}
    </div>
  );
}

const followTexts: Readonly<Record<FollowStatus, Key>> = {
  0: "people.follow",
  1: "people.following",
  2: "people.friends",
};

/** Avatar, nickname, gender, flag and country of the partner, and whether the user likes and follows them. */
function PersonBadge({
  person,
  relation,
  faceless,
  state,
  children,
}: {
  person: RemoteUser;
  relation: Relation;
  /** The avatar shows only the first letter of the name. */
  faceless: boolean;
  /** Why the partner is not heard, as a sign beside the name. */
  state: string | null;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const { followStatus } = relation;
  const liked = relation.likeStatus === 1;
  const other = { userId: person.user_id, nickname: person.nickname };
  const name = isolate(person.nickname);
  const FollowIcon = followStatus === 0 ? UserPlus : Check;
  return (
    <div className={styles.who} data-fades>
      <button
        type="button"
        className={styles.profile}
        aria-label={t("people.profileOf", { name })}
        onClick={() => openProfile(person.user_id)}
      >
        <Avatar src={faceless ? "" : person.avatar} name={person.nickname} />
      </button>
      <span className={styles.name}>
        <b>
          <bdi translate="no">{person.nickname}</bdi>
          {state !== null && (
            <>
              <MicOff size={16} aria-hidden="true" />
              <VisuallyHidden>{state}</VisuallyHidden>
            </>
          )}
        </b>
        <small>
          {person.sex === 1 && <Mars size={16} aria-hidden="true" />}
          {person.sex === 2 && <Venus size={16} aria-hidden="true" />}
          {person.sex !== 0 && <VisuallyHidden>{t(person.sex === 1 ? "call.man" : "call.woman")}</VisuallyHidden>}
          <Flag src={person.country_flag} widthPx={18} />
          <bdi>{person.country_name}</bdi>
        </small>
      </span>
      <IconButton
        className={styles.like ?? ""}
        label={t("people.likeName", { name })}
        aria-pressed={liked}
        icon={<Heart size={22} fill={liked ? "currentColor" : "none"} aria-hidden="true" />}
        onClick={() => void setLike(other, !liked)}
      />
      <button
        type="button"
        className={styles.follow}
        data-status={followStatus}
        aria-pressed={followStatus > 0}
        onClick={() => void setFollow(other, followStatus === 0)}
      >
        <FollowIcon size={18} aria-hidden="true" />
        <span>{t(followTexts[followStatus])}</span>
      </button>
      {children}
    </div>
  );
}

/** On a blurred video: that it is being checked, that it is hidden, or that the user chose the blur. */
function ShieldPanel({ room, shown }: { room: InRoom; shown: VideoShown }): ReactNode {
  const t = useT();
  const { match } = room;
  switch (shown) {
    case "shown":
      return null;
    case "checking":
      return (
        <div className={shieldStyles.checking}>
          <h1>{t("shield.checking")}</h1>
          <p>{t("shield.checkingText")}</p>
        </div>
      );
    case "hidden":
      return (
        <div className={shieldStyles.centre}>
          <span className={shieldStyles.icon} aria-hidden="true">
            <EyeOff size={28} />
          </span>
          <h1>{t("shield.hidden")}</h1>
          <p>{t("shield.hiddenText")}</p>
          <button
            type="button"
            onClick={() =>
              openReport({ userId: match.remote.user_id, nickname: match.remote.nickname, callId: match.id })
            }
          >
            <FlagIcon size={20} aria-hidden="true" />
            {t("shield.report")}
          </button>
        </div>
      );
    case "weak":
    case "busy": {
      const isWeak = shown === "weak";
      return (
        <div className={shieldStyles.centre}>
          <span className={shieldStyles.icon} aria-hidden="true">
            {isWeak ? <WifiOff size={28} /> : <Hourglass size={28} />}
          </span>
          <h1>{t(isWeak ? "shield.weak" : "shield.busy")}</h1>
          <p>{isWeak ? t("shield.weakOther", { name: isolate(match.remote.nickname) }) : t("shield.busyText")}</p>
          {isWeak && room.ends === null && <p>{t("shield.goesOn")}</p>}
        </div>
      );
    }
    case "kept":
      return (
        <div className={shieldStyles.centre}>
          <span className={shieldStyles.icon} aria-hidden="true">
            <EyeOff size={28} />
          </span>
          <h1>{t("shield.kept")}</h1>
          <p>{t("shield.keptText")}</p>
          <button type="button" onClick={() => showVideoOf(match.roomId)}>
            <Eye size={20} aria-hidden="true" />
            {t("shield.show")}
          </button>
        </div>
      );
  }
}

/** The server marks two people as met a moment after the first frame: the request is repeated after these delays. */
const askAgainMs = [0, 1_500, 5_000] as const;
const stranger: Relation = { followStatus: 0, likeStatus: 0, presence: null, hidden: false };

/**
 * The relation to the partner: loaded once their video is shown, and followed from then on. Before the first frame the
 * server would refuse it, and the request would delay the video.
 */
function useRelationInCall({ user_id }: RemoteUser, isSeen: boolean): Relation {
  useEffect(() => {
    if (!isSeen) return undefined;
    const owner = new AbortController();
    void ask(user_id, owner.signal);
    return () => owner.abort();
  }, [user_id, isSeen]);
  return useRelation(user_id) ?? stranger;
}

async function ask(otherId: number, signal: AbortSignal): Promise<void> {
  for (const delayMs of askAgainMs) {
    await pause(delayMs, signal);
    const user = currentUser();
    if (signal.aborted || !user) return;
    try {
      return noteRelations([await smallRequest(userInfo, { userId: user.user_id, otherId }, { signal })]);
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
    }
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
