import { countryBalanced, countryGlobal, type MatchFilters } from "@fava/wire/beans.ts";
import { recentMs } from "@fava/wire/limits.ts";
import type { FollowStatus, RemoteUser } from "@fava/wire/people.ts";
import {
  CalendarOff,
  Check,
  ChevronUp,
  Flag,
  Globe,
  Hourglass,
  MapPin,
  ShieldCheck,
  SlidersHorizontal,
  Unplug,
  UserPlus,
  Users,
  Video,
} from "lucide-react";
import { Fragment, memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { usePrices } from "#features/beans/prices.ts";
import {
  type InRoom,
  isInRoom,
  type PreviousCall,
  type Ringing,
  type Searching,
  waitShown,
} from "#features/call/machine/call-state.ts";
import { callStore, type CallView, levelStore, screenNowMs } from "#features/call/machine/call-store.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { relaxedFilters } from "#features/call/machine/relaxed-filters.ts";
import { LowBeansBar } from "#features/call/meter/LowBeansBar.tsx";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { useWaitEstimate } from "#features/match/wait-estimate.ts";
import { useMatchNoticeOffer } from "#features/notifications/use-match-notice-offer.ts";
import { sendKindWord, useKindWordOffer } from "#features/people/kind-words.ts";
import { openReport } from "#features/people/person-links.ts";
import { setFollow } from "#features/people/relation-actions.ts";
import { useRelation } from "#features/people/relations.ts";
import {
  keepApart,
  requestRematch,
  rematchRequestOf,
  noteRecent,
  useRematchRequest,
  sendRematchRequest,
} from "#features/people/rematch-requests.ts";
import { type MeetPerson, startMeeting } from "#features/people/rematch.ts";
import { useCountries } from "#lib/countries.ts";
import { formatBeans, formatClock, isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { isBackCamera, sentOf, useLocalMedia } from "#lib/media/local-media.ts";
import { useMediaOptions } from "#lib/media/media-options.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { halfSecondMs, useTimed } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Bean } from "#ui/Bean.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { KindWordOffer } from "#ui/KindWordOffer.tsx";
import { OfferLine } from "#ui/OfferLine.tsx";
import { ProgressLine } from "#ui/ProgressLine.tsx";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./CallStage.module.css";
import { Meeting } from "./Meeting.tsx";
import { OwnDevices } from "./OwnDevices.tsx";
import { OwnNotice } from "./OwnNotice.tsx";
import panelsStyles from "./Panels.module.css";
import { OwnPaused } from "./PausedPicture.tsx";
import { QualityBadge } from "./QualityBadge.tsx";
import { RemotePicture } from "./RemotePicture.tsx";
import { RemoteVideo } from "./RemoteVideo.tsx";
import { LookingRing, Ring } from "./Ring.tsx";
import { SearchChecksNote } from "./SearchChecksNote.tsx";
import { SearchOpener } from "./SearchOpener.tsx";
import { UncheckedEnd } from "./UncheckedEnd.tsx";
import { toggleVideoFit, useVideoWhole } from "./video-shown.ts";

/**
 * The big video: the partner, or the blurred local video until there is one. Between a match and its first frame the
 * search or ring stays on the screen, and only the remote video is prepared. `view` is what is drawn, `now` is the
 * current state.
 */
export const CallStage = memo(function CallStage({ now, view }: { now: CallView; view: CallView }): ReactNode {
  const { call } = view;
  const stage = useRef<HTMLElement>(null);
  const whole = useVideoWhole();
  useDoubleTap(stage, toggleVideoFit);
  const isAway = useReachability() !== "fine" && call.status === "searching";
  const video = useRef<HTMLVideoElement>(null);
  const isOther = isInRoom(call) && isInRoom(now.call) && call.match.roomId !== now.call.match.roomId;
  // What replaces the search or the last call is drawn in the turn that brought the first frame, before the rest of the
  // call screen.
  const picture = isInRoom(now.call) ? now : view;
  const isSeen = picture.call.status === "in-call";
  const isDrawn = call.status !== "idle";
  const shown = isDrawn ? call : picture.call;
  const wait = isSeen ? null : waitShown(call);
  const search = wait?.status === "searching" ? wait : null;
  return (
    <section
      ref={stage}
      className={styles.stage}
      data-status={shown.status}
      data-whole={(whole && shown.status === "in-call") || undefined}
      data-seen={(isOther && isSeen) || undefined}
      data-met={(wait !== null && isInRoom(now.call)) || undefined}
    >
      <RemotePicture video={video} />
      {isInRoom(picture.call) && (
        <Fragment key={picture.call.match.roomId}>
          {isSeen && <Meeting room={picture.call} />}
          <RemoteVideo
            video={video}
            other={picture.other}
            room={picture.call}
            stands={call.status === "in-call" && !isOther}
          />
        </Fragment>
      )}
      {isDrawn && call.status !== "in-call" && <OwnBlurred isOver={isSeen} />}
      {isAway && <AwayPanel />}
      {search && !isAway && <SearchPanels search={search} />}
      {search && !isAway && <SearchFoot search={search} />}
      {wait?.status === "ringing" && <RingingPanel call={wait} />}
      {call.status === "returning" && <ConnectingPanel remote={call.match.remote} way="back" />}
      {call.status === "connecting" && !isSeen && !wait && (
        <ConnectingPanel
          remote={call.match.remote}
          way={call.match.returned ? "back" : call.fromRing ? "friend" : "found"}
        />
      )}
      {call.status === "in-call" && !isOther && <CallNotices ownPausedAtMs={view.ownPausedAtMs} room={call} />}
      {call.status === "in-call" && !isOther && call.media === "reconnecting" && (
        <ReconnectingPanel remote={call.match.remote} peer={call.peer} />
      )}
    </section>
  );
});

function CallQuality(): ReactNode {
  return <QualityBadge {...useStore(levelStore)} />;
}

interface CallNoticesProps {
  ownPausedAtMs: number | null;
  room: InRoom;
}

/** The notices, of which only the first is visible. On a phone it is one line, which a press unfolds. */
const CallNotices = memo(function CallNotices({ ownPausedAtMs, room }: CallNoticesProps): ReactNode {
  const t = useT();
  const isPlaying = room.status === "in-call" && room.media === "playing";
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.notices} data-notices data-open={isOpen || undefined}>
      <UncheckedEnd room={room} />
      <LowBeansBar key={room.match.roomId} room={room} />
      <OwnDevices />
      {ownPausedAtMs === null && <OwnNotice room={room} />}
      {isPlaying && ownPausedAtMs !== null && <OwnPaused atMs={ownPausedAtMs} />}
      {isPlaying && <CallQuality />}
      <IconButton
        className={styles.noticeMore ?? ""}
        label={t("msg.more")}
        aria-expanded={isOpen}
        icon={<ChevronUp size={22} aria-hidden="true" />}
        onClick={() => setOpen(!isOpen)}
      />
    </div>
  );
});

/** Once a partner was found these buttons are about to go, and a press on them does nothing. */
const SearchPanels = memo(function SearchPanels({ search }: { search: Searching }): ReactNode {
  return (
    <div className={styles.search} onClickCapture={(event) => isConnecting() && event.stopPropagation()}>
      {search.widen && <WidenPanel search={search} />}
      {!search.widen && search.previous && <LeftPanel search={search} previous={search.previous} />}
      {!search.widen && !search.previous && <SearchPanel search={search} />}
    </div>
  );
});

/** At the foot of the search: once the notice about frame checks, then a question, unless a call has just ended. */
const SearchFoot = memo(function SearchFoot({
  search: { widen, previous, sinceMs },
}: {
  search: Searching;
}): ReactNode {
  return (
    <SearchChecksNote isCrowded={widen}>{(widen || !previous) && <SearchOpener sinceMs={sinceMs} />}</SearchChecksNote>
  );
});

/** `isOver`: the remote video is visible, and this element is hidden until it is removed, which takes time. */
const OwnBlurred = memo(function OwnBlurred({ isOver }: { isOver: boolean }): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  const { mirrorsOwn } = useMediaOptions();
  if (media.status !== "live" || sentOf(media, "camera") !== "on") return null;
  return (
    <div className={styles.own} aria-hidden="true" hidden={isOver}>
      <StreamVideo
        stream={media.stream}
        muted
        mirrored={mirrorsOwn && !isBackCamera(media.stream)}
        blurred
        // Drawing it would delay the partner's first frame.
        isStill={isConnecting}
        label={t("call.you")}
      />
    </div>
  );
});

/** A match connects, which the screens draw later. */
function isConnecting(): boolean {
  return callStore.getState().call.status === "connecting";
}

/** Shown while the server cannot be reached: no search runs, and no claim about who is online is made. */
function AwayPanel(): ReactNode {
  const t = useT();
  return (
    <div className={panelsStyles.centre}>
      <span className={panelsStyles.lost} aria-hidden="true">
        <Unplug size={30} />
      </span>
      <h1>{t("search.away")}</h1>
    </div>
  );
}

/** The user rings a friend, or has accepted a ring. It does not reveal whether the friend cannot or will not answer. */
function RingingPanel({ call: { friend, way } }: { call: Ringing }): ReactNode {
  const t = useT();
  const name = isolate(friend.nickname);
  return (
    <div className={panelsStyles.centre}>
      <Ring>
        <Avatar src={friend.avatar} name={friend.nickname} sizePx={96} />
      </Ring>
      <h1>{t(way === "out" ? "ring.calling" : "ring.connecting", { name })}</h1>
      {way === "out" && <p className={panelsStyles.sub}>{t("ring.callingText")}</p>}
    </div>
  );
}

/** `back`: returns to an earlier call; `friend`: the call came from a ring. */
function ConnectingPanel({ remote, way }: { remote: RemoteUser; way: "found" | "friend" | "back" }): ReactNode {
  const t = useT();
  const name = isolate(remote.nickname);
  const titles = {
    found: t("search.found"),
    friend: t("ring.connecting", { name }),
    back: t("openCall.going", { name }),
  };
  return (
    <div className={panelsStyles.centre}>
      <Ring>
        <Avatar src={remote.avatar} name={remote.nickname} sizePx={96} />
      </Ring>
      <h1>{titles[way]}</h1>
      {way === "found" && (
        <p className={panelsStyles.sub}>{t("search.connecting", { name, country: remote.country_name })}</p>
      )}
    </div>
  );
}

/**
 * No media arrives: the video is frozen and grey, while chat, End and Next keep working. If the partner's page or
 * socket is gone, says that they may return.
 */
function ReconnectingPanel({ remote, peer }: { remote: RemoteUser; peer: "here" | "lost" }): ReactNode {
  const t = useT();
  const name = isolate(remote.nickname);
  const isLost = peer === "lost";
  return (
    <div className={panelsStyles.centre}>
      <span className={panelsStyles.lost} aria-hidden="true">
        {isLost ? <Hourglass size={30} /> : <Unplug size={30} />}
      </span>
      <h1>{isLost ? t("openCall.may", { name }) : t("reconnect.title")}</h1>
      <p className={panelsStyles.sub}>{isLost ? t("openCall.wait") : t("reconnect.text", { name })}</p>
      {isLost && remote.price > 0 && <p className={panelsStyles.sub}>{t("openCall.free")}</p>}
      <ProgressLine className={panelsStyles.line} />
    </div>
  );
}

/**
 * After 10 s: searches with wider filters and their prices, none preselected. Paid filters are never widened without a
 * press (rule MATCH-7).
 */
function WidenPanel({ search }: { search: Searching }): ReactNode {
  const t = useT();
  const [dismissed, setDismissed] = useState(false);
  const tell = useMatchNoticeOffer(search.wish);
  const wishes = relaxedFilters(search.wish);
  if (wishes.length === 0 || dismissed) {
    return (
      <div className={panelsStyles.centre} data-offers={tell !== null || undefined}>
        <LookingRing />
        <h1>{t("search.title")}</h1>
        <SearchTime sinceMs={search.sinceMs} />
        <p className={panelsStyles.sub}>{t(dismissed ? "search.widen" : "search.few")}</p>
        <ToldLine search={search} />
        <WishChips wish={search.wish} />
        {tell && <OfferLine {...tell} />}
      </div>
    );
  }
  return (
    <div className={panelsStyles.card}>
      <div className={panelsStyles.status}>
        <SearchTime sinceMs={search.sinceMs} />
        <ToldLine search={search} className={panelsStyles.time} />
      </div>
      <h1>{t("search.widen")}</h1>
      <p className={panelsStyles.sub}>{t("search.widenText")}</p>
      <div className={panelsStyles.choices} data-choices>
        {wishes.map((wish) => (
          <WiderChoice key={`${wish.sex} ${wish.country}`} wish={wish} />
        ))}
      </div>
      <div className={panelsStyles.waiting}>
        <button type="button" className={panelsStyles.keep} onClick={() => setDismissed(true)}>
          {t("search.wait")}
        </button>
        {tell && <OfferLine {...tell} />}
      </div>
    </div>
  );
}

/** The number of users who asked for notifications and were told of this search. */
function ToldLine(props: { search: Searching; className?: string | undefined }): ReactNode {
  const t = useT();
  const { search, className = panelsStyles.sub } = props;
  return search.told > 0 && <p className={className}>{t("search.told", { count: search.told })}</p>;
}

function WiderChoice({ wish }: { wish: MatchFilters }): ReactNode {
  const t = useT();
  const { startCall } = useCallRuntime();
  const price = usePrices().of(wish);
  const country = useCountryWord(wish.country);
  const where = wish.country === countryBalanced ? t("search.anywhere") : country;
  const Icon = wish.country > 0 ? MapPin : wish.sex === 0 ? Users : Globe;
  return (
    <button type="button" onClick={() => void startCall(wish)}>
      <Icon size={22} aria-hidden="true" />
      <span>{t("search.choice", { who: t(sexKey(wish.sex)), where })}</span>
      <small data-free={price === 0 || undefined}>
        {price === 0 ? (
          t("price.free")
        ) : (
          <>
            <Bean size={14} />
            {t("call.price", { beans: formatBeans(price) })}
          </>
        )}
      </small>
    </button>
  );
}

const titles: Readonly<Record<PreviousCall["why"], Key>> = {
  left: "search.left",
  "not-joined": "search.notJoined",
  lost: "search.lost",
  cut: "shield.cut",
};

/**
 * The previous partner, while the search runs. The text does not reveal whether that person left or blocked the user.
 */
function LeftPanel({ search, previous }: { search: Searching; previous: PreviousCall }): ReactNode {
  const t = useT();
  const time = useTimed(halfSecondMs, () => formatClock((screenNowMs() - search.sinceMs) / 1_000));
  const { remote } = previous.match;
  const cut = previous.why === "cut";
  return (
    <div className={panelsStyles.centre}>
      {cut ? (
        <span className={panelsStyles.lost} aria-hidden="true">
          <ShieldCheck size={30} />
        </span>
      ) : (
        <span className={panelsStyles.face}>
          <Avatar src={remote.avatar} name={remote.nickname} sizePx={96} />
        </span>
      )}
      <h1>{t(titles[previous.why], { name: isolate(remote.nickname) })}</h1>
      {cut && <p className={panelsStyles.sub}>{t(remote.price > 0 ? "shield.cutPaid" : "shield.cutText")}</p>}
      {!cut && (previous.seconds ?? 0) > 0 && (
        <p className={panelsStyles.sub}>{t("search.together", { time: formatClock(previous.seconds ?? 0) })}</p>
      )}
      {!cut && previous.seconds !== null && <LeftActions previous={previous} />}
      <KindWord />
      <p className={panelsStyles.bar}>
        <i aria-hidden="true" />
        {t("search.next")}
        <span role="timer" aria-label={t("search.next")} translate="no">
          {time}
        </span>
      </p>
    </div>
  );
}

const followTexts: Readonly<Record<FollowStatus, Key>> = {
  0: "people.follow",
  1: "people.following",
  2: "people.friends",
};

/** The actions for the previous partner: meet again, follow, not again for a while, report. */
function LeftActions({ previous: { match } }: { previous: PreviousCall }): ReactNode {
  const t = useT();
  const { user_id: userId, nickname } = match.remote;
  const followStatus = useRelation(userId)?.followStatus ?? 0;
  const recent = useRematchRequest(userId);
  const meet = recent?.meet ?? "none";
  const isApart = recent !== null && recent.apartUntilMs !== null;
  useEffect(() => {
    const owner = new AbortController();
    void requestRematch(userId, owner.signal);
    return () => owner.abort();
  }, [userId]);
  // The two have just met, even if the server's list does not show it yet.
  function noteMet(): void {
    if (!rematchRequestOf(userId))
      noteRecent([{ person: { user_id: userId }, meet: "none", until: Date.now() + recentMs }]);
  }
  function pressMeet(): void {
    if (isApart) return;
    if (meet === "both") return startMeeting({ userId, nickname });
    noteMet();
    void sendRematchRequest(userId, meet !== "asked");
  }
  function pressApart(): void {
    noteMet();
    void keepApart({ userId, nickname }, !isApart);
  }
  const name = <VisuallyHidden> {isolate(nickname)}</VisuallyHidden>;
  const isAsked = meet === "asked";
  const FollowIcon = followStatus === 0 ? UserPlus : Check;
  const MeetIcon = isAsked ? Check : Video;
  const ApartIcon = isApart ? Check : CalendarOff;
  return (
    <div className={panelsStyles.chips}>
      <button
        type="button"
        data-main
        aria-pressed={meet === "both" ? undefined : isAsked}
        aria-disabled={isApart || undefined}
        onClick={pressMeet}
      >
        <MeetIcon size={16} aria-hidden="true" />
        {t(meet === "both" ? "people.both" : isAsked ? "people.asked" : "people.meet")}
        {name}
      </button>
      <button
        type="button"
        aria-pressed={followStatus > 0}
        onClick={() => void setFollow({ userId, nickname }, followStatus === 0)}
      >
        <FollowIcon size={16} aria-hidden="true" />
        {t(followTexts[followStatus])}
        {name}
      </button>
      <button type="button" aria-pressed={isApart} onClick={pressApart}>
        <ApartIcon size={16} aria-hidden="true" />
        {t("people.apart")}
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

/** A search without a partner: its duration, the usual duration, and its filters. Never an invented queue or number. */
function SearchPanel({ search }: { search: Searching }): ReactNode {
  const t = useT();
  const { meet } = search.wish;
  if (meet) return <MeetPanel search={search} meet={meet} />;
  return (
    <div className={panelsStyles.centre}>
      <LookingRing />
      <h1>{t("search.title")}</h1>
      <SearchTime sinceMs={search.sinceMs} />
      <SearchWaitEstimate wish={search.wish} />
      <ToldLine search={search} />
      <WishChips wish={search.wish} />
      <KindWord />
    </div>
  );
}

function KindWord(): ReactNode {
  const offer = useKindWordOffer();
  return (
    offer && <KindWordOffer key={offer.callId} {...offer} place="stage" onSend={(word) => void sendKindWord(word)} />
  );
}

function SearchWaitEstimate({ wish }: { wish: MatchFilters }): ReactNode {
  return <p className={panelsStyles.sub} {...useWaitEstimate(wish, { isSearching: true }).props} />;
}

/** Both users want to meet again, and the other one is not online yet. */
function MeetPanel({ search, meet }: { search: Searching; meet: MeetPerson }): ReactNode {
  const t = useT();
  const { startCall } = useCallRuntime();
  const name = isolate(meet.nickname);
  return (
    <div className={panelsStyles.centre}>
      <LookingRing />
      <h1>{t("search.waitingFor", { name })}</h1>
      <SearchTime sinceMs={search.sinceMs} />
      <p className={panelsStyles.sub}>{t("search.waitingText", { name })}</p>
      <p className={panelsStyles.chips}>
        <button type="button" onClick={() => void startCall(currentMatchFilters())}>
          <Users size={16} aria-hidden="true" />
          {t("search.someoneElse")}
        </button>
      </p>
    </div>
  );
}

function SearchTime({ sinceMs }: { sinceMs: number }): ReactNode {
  const t = useT();
  const time = useTimed(halfSecondMs, () => formatClock((screenNowMs() - sinceMs) / 1_000));
  return (
    <p className={panelsStyles.time} role="timer">
      {t("search.time", { time })}
    </p>
  );
}

/** The filters of this search, and a way to change them without stopping it. */
function WishChips({ wish }: { wish: MatchFilters }): ReactNode {
  const t = useT();
  const { changeWish } = useCallRuntime();
  const country = useCountryWord(wish.country);
  async function change(): Promise<void> {
    if ((await openOverlay("preferences")) === "done") changeWish(currentMatchFilters());
  }
  return (
    <p className={panelsStyles.chips}>
      <button type="button" title={t("search.change")} onClick={() => void change()}>
        <span>
          <bdi>{t(sexKey(wish.sex))}</bdi> · <bdi>{country}</bdi>
        </span>
        <SlidersHorizontal size={16} aria-hidden="true" />
        <VisuallyHidden>{t("search.change")}</VisuallyHidden>
      </button>
    </p>
  );
}

function sexKey(sex: MatchFilters["sex"]): Key {
  return sex === 0 ? "pref.both" : sex === 1 ? "pref.men" : "pref.women";
}

function useCountryWord(country: number): string {
  const t = useT();
  const listed = useCountries().find((candidate) => candidate.id === country);
  if (country === countryBalanced) return t("pref.balanced");
  return country === countryGlobal ? t("pref.global") : (listed?.languageText ?? t("pref.country"));
}

/** Two presses within this time and distance are a double press. */
const doubleTapMs = 350;
const doubleTapPx = 48;

/** Calls `act` on a double press of the video, but not on controls over it. */
function useDoubleTap(place: RefObject<HTMLElement | null>, act: () => void): void {
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let last: { atMs: number; x: number; y: number } | null = null;
    const pressed = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest("button, a, input, label, textarea")) return;
      const now = { atMs: event.timeStamp, x: event.clientX, y: event.clientY };
      const isSecond =
        last !== null &&
        now.atMs - last.atMs <= doubleTapMs &&
        Math.hypot(now.x - last.x, now.y - last.y) <= doubleTapPx;
      last = isSecond ? null : now;
      if (isSecond) act();
    };
    element.addEventListener("click", pressed);
    return () => element.removeEventListener("click", pressed);
  }, [place, act]);
}
