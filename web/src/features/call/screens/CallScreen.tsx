import {
  ChevronsRight,
  EyeOff,
  Keyboard,
  Lightbulb,
  Mic,
  MicOff,
  PhoneOff,
  ShieldAlert,
  Square,
  SwitchCamera,
  Video,
  VideoOff,
} from "lucide-react";
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useRef,
} from "react";
import { useStore } from "zustand";
import { ChatPanel } from "#features/call/chat/ChatPanel.tsx";
import {
  type CallState,
  type InRoom,
  isInRoom,
  matchNumber,
  searchShown,
  waitShown,
} from "#features/call/machine/call-state.ts";
import { callStore, type CallView, useCallView } from "#features/call/machine/call-store.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { CallMeter } from "#features/call/meter/CallMeter.tsx";
import { LowBeansAnnouncer } from "#features/call/meter/LowBeansBar.tsx";
import { useRunningBalance, useRunningSeconds } from "#features/call/meter/meter-shown.ts";
import { setRunningMeter } from "#features/call/meter/running-meter.ts";
import { PanicButton } from "#features/call/panic/PanicButton.tsx";
import { PanicPage } from "#features/call/panic/PanicPage.tsx";
import { usePanic } from "#features/call/panic/panic.ts";
import { FloatingReactions } from "#features/call/play/FloatingReactions.tsx";
import { formatBeans, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import {
  canFlip,
  flipCamera,
  isBackCamera,
  sentOf,
  useDevices,
  useIsSwitchedOn,
  useLocalMedia,
} from "#lib/media/local-media.ts";
import { useMediaOptions } from "#lib/media/media-options.ts";
import { setCallShown } from "#lib/call-shown.ts";
import { useOverlays } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { BalanceFigure } from "#ui/BalanceFigure.tsx";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { Logo } from "#ui/Logo.tsx";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import styles from "./CallScreen.module.css";
import { CallStage } from "./CallStage.tsx";
import { ownDeviceText } from "./own-device-text.ts";
import { VideoBlurAnnouncer } from "./OwnNotice.tsx";
import { PausedAnnouncer } from "./PausedPicture.tsx";
import { cornerByKey, cornerNow, nearestCorner, nextCorner, setCorner, useCorner } from "./self-corner.ts";
import { CallAnnouncer } from "./CallAnnouncer.tsx";
import { useCallKeys } from "./use-call-keys.ts";
import { useFaded, useFading } from "./use-fading.ts";
import { VolumeControl } from "./VolumeControl.tsx";

/**
 * The screen of every call state, always dark: video, switches and the two big buttons never move. Its frame exists
 * before a call, hidden: a match that comes before the search is drawn shows its video and the controls at once, and the
 * rest is drawn later.
 */
export function CallScreen(): ReactNode {
  const now = useCallView();
  const view = useDrawnView(now);
  const composer = useRef<HTMLTextAreaElement>(null);
  const main = useCallFocus(view.call);
  useCallKeys(now.call, composer);
  const isDrawn = view.call.status !== "idle";
  const drawnRoomId = isInRoom(view.call) ? view.call.match.roomId : null;
  const call = !isDrawn && isInRoom(now.call) ? now.call : view.call;
  // The emergency exit is about the partner whose video is shown.
  const seen = drawnRoomId !== null && isInRoom(now.call) ? now.call : call;
  const wait = waitShown(call);
  const isRinging = wait?.status === "ringing";
  const waits = wait !== null || call.status === "returning";
  useFading(view);
  const corner = useCorner();
  const isUnderMessages = useOverlays().some(({ name, open }) => name === "messages" && open);
  const panic = usePanic();
  const shown = isDrawn || panic.step !== "none";
  useEffect(() => {
    setCallShown(shown);
    return () => setCallShown(false);
  }, [shown]);
  if (!isDrawn && panic.step !== "none") return <PanicPage panic={panic} />;
  return (
    <Page
      isDrawn={isDrawn}
      roomId={drawnRoomId}
      data-status={call.status}
      data-match-state={isDrawn ? matchNumber(call) : undefined}
      data-search={searchShown(call) ? "" : undefined}
      data-corner={corner ?? undefined}
      data-messages={isUnderMessages || undefined}
    >
      <header className={styles.top} data-fades="over-picture">
        <span className={styles.logo}>
          <Logo />
        </span>
        <span className={styles.wallet}>
          {isInRoom(call) && !waits && call.match.remote.price > 0 ? (
            <CallMeter key={call.match.roomId} room={call} />
          ) : (
            <Rate price={priceOf(call)} />
          )}
          <Balance call={call} />
        </span>
      </header>
      <main ref={main} className={styles.grid} tabIndex={-1}>
        <CallStage now={now} view={view} />
        <aside className={styles.rail}>
          {isDrawn && (
            <>
              <SelfView hiddenFrom={hiddenFrom(call)} />
              {isInRoom(call) && !waits ? (
                <ChatPanel room={call} lines={view.lines} composer={composer} />
              ) : (
                <WaitingTips />
              )}
            </>
          )}
        </aside>
        <CallControls
          waits={waits}
          isRinging={isRinging}
          partner={seen.status === "in-call" ? seen.match.remote.nickname : null}
          roomId={seen.status === "in-call" ? seen.match.roomId : null}
        />
      </main>
      {isDrawn && (
        <>
          <CallAnnouncer />
          <LowBeansAnnouncer call={now.call} />
          {now.other.pausedAtMs === null && <VideoBlurAnnouncer call={now.call} />}
          <PausedAnnouncer {...now} />
        </>
      )}
    </Page>
  );
}

/**
 * The page of the call: shown once it is drawn, or with the partner's video. It follows the call without the screens'
 * delay: what it shows of `roomId` disappears as soon as the call has left that room.
 */
function Page(props: ComponentProps<"div"> & { isDrawn: boolean; roomId: string | null }): ReactNode {
  const { isDrawn, roomId, ...attributes } = props;
  const hasVideo = useStore(callStore, ({ remote }) => remote !== null);
  const roomIdNow = useStore(callStore, ({ call }) => (isInRoom(call) ? call.match.roomId : null));
  const faded = useFaded(roomId);
  return (
    <div
      id={isDrawn ? "call" : undefined}
      className={styles.page}
      hidden={!isDrawn && !hasVideo}
      data-theme="dark"
      data-left={(roomId !== null && roomId !== roomIdNow) || undefined}
      data-faded={faded || undefined}
      {...attributes}
    />
  );
}

/** The price of a minute in this state; null: a search. */
function priceOf(call: CallState): number | null {
  if (call.status === "idle" || searchShown(call)) return null;
  return "match" in call ? call.match.remote.price : 0;
}

/** The price, where no meter shows it. */
function Rate({ price }: { price: number | null }): ReactNode {
  const t = useT();
  if (price === null) return <Chip>{t("search.free")}</Chip>;
  return <Chip>{price > 0 ? t("call.price", { beans: formatBeans(price) }) : t("call.free")}</Chip>;
}

/** The partner who cannot see the local video because of the frame checks; null: it is not hidden. */
function hiddenFrom(call: CallState): string | null {
  if (!isInRoom(call)) return null;
  const { own, own_why: why } = call.shield;
  const isHidden = own === "warned" || own === "missing" || (own !== "clear" && why !== undefined);
  return isHidden ? call.match.remote.nickname : null;
}

/** The user's beans; in a paid call they decrease with the meter. */
function Balance({ call }: { call: CallState }): ReactNode {
  const known = useUser()?.credit5 ?? 0;
  return isInRoom(call) && call.meter ? <RunningBalance room={call} /> : <Beans balance={known} />;
}

function RunningBalance({ room }: { room: InRoom }): ReactNode {
  const balance = useRunningBalance(room);
  const secondsLeft = useRunningSeconds(room);
  const price = room.meter?.meter.price ?? 0;
  useEffect(() => setRunningMeter({ balance, price, secondsLeft }), [balance, price, secondsLeft]);
  useEffect(() => () => setRunningMeter(null), []);
  return <Beans balance={balance} />;
}

function Beans({ balance }: { balance: number }): ReactNode {
  const t = useT();
  return (
    <Chip
      tone="bean"
      className={styles.balance}
      role="img"
      translate="no"
      aria-label={t("home.beans", { n: balance, count: formatBeans(balance) })}
    >
      <Bean size={18} />
      <BalanceFigure balance={balance} />
    </Chip>
  );
}

interface CallControlsProps {
  waits: boolean;
  isRinging: boolean;
  /** The partner's name and the room; null: none yet. */
  partner: string | null;
  roomId: string | null;
}

/** The controls: switches and emergency exit, End and Next, and the volume; without a partner only Stop. */
const CallControls = memo(function CallControls({ waits, isRinging, partner, roomId }: CallControlsProps): ReactNode {
  const t = useT();
  const { nextCall, setCamera, setMicrophone, stopCall } = useCallRuntime();
  const isSmall = useIsSmallWindow();
  const cameraOn = useIsSwitchedOn("camera");
  const microphoneOn = useIsSwitchedOn("microphone");
  return (
    <div className={styles.controls} role="toolbar" aria-label={t("call.controls")}>
      <div className={styles.switches}>
        <IconButton
          kind="filled"
          size="large"
          label={t("home.micMute")}
          aria-pressed={!microphoneOn}
          aria-keyshortcuts="M"
          icon={microphoneOn ? <Mic size={22} /> : <MicOff size={22} />}
          onClick={() => setMicrophone(!microphoneOn)}
        />
        <IconButton
          kind="filled"
          size="large"
          label={t("home.camMute")}
          aria-pressed={!cameraOn}
          aria-keyshortcuts="V"
          icon={cameraOn ? <Video size={22} /> : <VideoOff size={22} />}
          onClick={() => setCamera(!cameraOn)}
        />
      </div>
      {partner !== null && <PanicButton key={roomId} nickname={partner} />}
      {waits ? (
        <Button className={styles.stop} aria-keyshortcuts="Escape" onClick={stopCall}>
          <Square size={18} fill="currentColor" aria-hidden="true" />
          {t(isRinging ? "common.cancel" : "search.stop")}
          <Kbd>Esc</Kbd>
        </Button>
      ) : (
        <>
          <Button
            kind="danger"
            className={styles.end}
            aria-label={t("call.end")}
            aria-keyshortcuts="Escape"
            onClick={stopCall}
          >
            <PhoneOff size={22} aria-hidden="true" />
            <span>{t("call.end")}</span>
            <Kbd>Esc</Kbd>
          </Button>
          <Button
            kind="go"
            className={styles.next}
            aria-label={t("call.next")}
            aria-keyshortcuts="ArrowRight"
            data-next
            onClick={({ currentTarget, detail }) => {
              nextCall();
              // A key that is still down would press the button again. After a touch the focus can wait (`useCallFocus`),
              // because moving it makes the browser lay out the page. A press too soon after the match leaves everything
              // as it is.
              if (detail === 0 && !isInRoom(callStore.getState().call))
                currentTarget.closest("main")?.focus({ preventScroll: true });
            }}
          >
            <span className={styles.nextWords}>
              <span>{t("call.next")}</span>
              <ChevronsRight size={26} strokeWidth={2.6} className="flip" aria-hidden="true" />
            </span>
            <Kbd>→</Kbd>
          </Button>
        </>
      )}
      {roomId !== null && !isSmall && <VolumeControl roomId={roomId} />}
    </div>
  );
});

const WaitingTips = memo(function WaitingTips(): ReactNode {
  const t = useT();
  return (
    <section className={styles.tips} data-column>
      <h2>{t("search.tips")}</h2>
      <ul>
        <li>
          <Lightbulb size={20} aria-hidden="true" />
          {t("search.tip.light")}
        </li>
        <li>
          <Keyboard size={20} aria-hidden="true" />
          {t("search.tip.keys")}
        </li>
        <li>
          <ShieldAlert size={20} aria-hidden="true" />
          {t("search.tip.panic")}
        </li>
      </ul>
    </section>
  );
});

/**
 * The local video, mirrored unless the user chose otherwise or the back camera runs; darkened while the partner does not see it. If the user hides
 * it, a sign shows that the camera is on.
 */
const SelfView = memo(function SelfView({ hiddenFrom }: { hiddenFrom: string | null }): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  const { mirrorsOwn, hidesOwn } = useMediaOptions();
  const devices = useDevices();
  const camera = sentOf(media, "camera");
  const isUnseen = hidesOwn && camera === "on";
  return (
    <section className={styles.self} data-unseen={isUnseen || undefined} aria-label={t("call.you")}>
      {media.status === "live" && !isUnseen && (
        <StreamVideo
          stream={media.stream}
          muted
          mirrored={mirrorsOwn && !isBackCamera(media.stream)}
          hidden={camera !== "on"}
          label={t("call.you")}
        />
      )}
      {isUnseen && (
        <span className={styles.selfOff}>
          <Video size={24} aria-hidden="true" />
          <span>{t("options.cameraOn")}</span>
        </span>
      )}
      {media.status === "live" && camera !== "on" && (
        <span className={styles.selfOff}>
          <VideoOff size={28} aria-hidden="true" />
          <span>{t(ownDeviceText(media, "camera") ?? "home.offTitle")}</span>
        </span>
      )}
      {hiddenFrom !== null && (
        <span className={styles.selfHidden}>
          <Chip tone="video">
            <EyeOff size={18} aria-hidden="true" />
            <span>{t("shield.hiddenFrom", { name: isolate(hiddenFrom) })}</span>
          </Chip>
        </span>
      )}
      {hiddenFrom === null && <FloatingReactions whose="own" />}
      <MoveHandle />
      {canFlip(media, devices) && camera === "on" && !isUnseen && (
        <IconButton
          kind="video"
          className={styles.flip ?? ""}
          label={t("call.flip")}
          icon={<SwitchCamera size={22} aria-hidden="true" />}
          onClick={() => void flipCamera()}
        />
      )}
      <span className={styles.you}>{t("call.you")}</span>
    </section>
  );
});

/** A pointer that moved less than this was a press, in px. */
const dragFromPx = 8;

/**
 * A handle on the local video where it covers the remote one: dragging moves it to a corner, arrow keys move it there,
 * and a press moves it to the next corner, for users who cannot drag.
 */
function MoveHandle(): ReactNode {
  const t = useT();
  const drag = useRef<{ x: number; y: number; isFar: boolean } | null>(null);
  function begin(event: PointerEvent<HTMLButtonElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, isFar: false };
  }
  function follow({ currentTarget, clientX, clientY }: PointerEvent<HTMLButtonElement>): void {
    const now = drag.current;
    const picture = currentTarget.parentElement;
    if (!now || !picture) return;
    const [x, y] = [clientX - now.x, clientY - now.y];
    now.isFar ||= Math.hypot(x, y) >= dragFromPx;
    if (now.isFar) picture.style.translate = `${x}px ${y}px`;
  }
  function settle({ currentTarget }: PointerEvent<HTMLButtonElement>): void {
    const picture = currentTarget.parentElement;
    if (!drag.current?.isFar || !picture) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    picture.style.translate = "";
    const middle = { x: left + width / 2, y: top + height / 2 };
    const stage = picture.closest("main")?.firstElementChild?.getBoundingClientRect() ?? new DOMRect();
    const place = { x: middle.x - stage.left, y: middle.y - stage.top };
    setCorner(nearestCorner(place, stage, isRightToLeft()));
  }
  function press(): void {
    // The end of a drag also fires a click.
    if (!drag.current?.isFar) setCorner(nextCorner(cornerNow()));
    drag.current = null;
  }
  function move(event: KeyboardEvent): void {
    const corner = cornerByKey(cornerNow(), event.key, isRightToLeft());
    if (!corner) return;
    event.preventDefault();
    setCorner(corner);
  }
  return (
    <button
      type="button"
      className={styles.move}
      data-arrows
      aria-label={t("call.moveSelf")}
      title={t("call.moveSelf")}
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={settle}
      onPointerCancel={settle}
      onClick={press}
      onKeyDown={move}
    />
  );
}

function isRightToLeft(): boolean {
  return document.documentElement.dir === "rtl";
}

/**
 * Keeps the focus within the call: each new state removes the focused element, and the page below is inert. The focus
 * moves to the call as a whole, never to End or Next, which a key that is still down would press.
 */
function useCallFocus(call: CallState): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const overlays = useOverlays();
  const { status } = call;
  const roomId = isInRoom(call) ? call.match.roomId : null;
  useEffect(() => {
    if (status === "idle") return undefined;
    // After a closing dialog has tried to return the focus to the page.
    const timer = setTimeout(() => {
      const active = document.activeElement;
      const isLost = active === null || active === document.body || active.closest("#page, [data-next]") !== null;
      if (isLost) main.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [status, roomId, overlays]);
  return main;
}

/**
 * What the call screen draws of `now`. A change to another screen, such as from a search to a call, is deferred and
 * drawn in small steps, so that requests leave and the first frame is shown before it is complete. The end of a call,
 * and changes within a screen, are drawn at once.
 */
function useDrawnView(now: CallView): CallView {
  const before = useDeferredValue(now);
  const waits = now.call.status !== "idle" && screenOf(now.call) !== screenOf(before.call);
  return waits ? before : now;
}

function screenOf(call: CallState): string {
  const wait = waitShown(call);
  // A match changes nothing on the screen of its search until the first frame.
  if (wait) return wait.status;
  return `${call.status} ${isInRoom(call) ? call.match.roomId : ""}`;
}
