import { type CallState, isInRoom } from "#features/call/machine/call-state.ts";
import { callStore } from "#features/call/machine/call-store.ts";
import { type LocalMedia, localMedia } from "#lib/media/local-media.ts";
import { keepAwake } from "#lib/wake-lock.ts";

/** What the media keys of a headset, keyboard or lock screen do. */
export interface MediaKeys {
  toggleMicrophone: () => void;
  toggleCamera: () => void;
  hangUp: () => void;
  next: () => void;
}

const actions = ["togglemicrophone", "togglecamera", "hangup", "nexttrack"] as const;
type Action = (typeof actions)[number];

/** The media keys that work in a state: all of them in a room, none for Next without a partner. */
export function keysFor(status: CallState["status"], keys: MediaKeys): Partial<Record<Action, () => void>> {
  if (status === "idle") return {};
  const { toggleMicrophone, toggleCamera, hangUp, next } = keys;
  const always = { togglemicrophone: toggleMicrophone, togglecamera: toggleCamera, hangup: hangUp };
  const isAlone = status === "searching" || status === "ringing" || status === "returning";
  return isAlone ? always : { ...always, nexttrack: next };
}

/**
 * Registers the keys for the call, or releases them; leaves what is the same as in the status before, because each call
 * of the browser delays the next match. The partner's name is kept off lock screens.
 */
function offerKeys(status: CallState["status"], before: CallState["status"], keys: MediaKeys): void {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  const [wanted, known] = [keysFor(status, keys), keysFor(before, keys)];
  for (const action of actions)
    if (wanted[action] !== known[action]) setAction(mediaSession, action, wanted[action] ?? null);
  if (typeof MediaMetadata === "undefined" || (status === "idle") === (before === "idle")) return;
  mediaSession.metadata = status === "idle" ? null : new MediaMetadata({ title: "Fava" });
}

/** Tells the browser whether camera and microphone are on, where it shows that. */
function showSwitches(media: LocalMedia): void {
  if (!("mediaSession" in navigator) || media.status !== "live") return;
  const { mediaSession } = navigator;
  // Older browsers lack both methods. Their promises only report whether a hidden page may use the camera.
  void mediaSession.setMicrophoneActive?.(media.microphoneOn);
  void mediaSession.setCameraActive?.(media.cameraOn);
}

function setAction(session: MediaSession, action: Action, handler: (() => void) | null): void {
  try {
    session.setActionHandler(action as MediaSessionAction, handler);
  } catch (error) {
    console.debug(`unsupported media key ${action}`, error);
  }
}

/** Keeps the screen on while the user is in a room, and lets the media keys control the call. */
export function followDevice(keys: MediaKeys, signal: AbortSignal): void {
  let awake: AbortController | null = null;
  let shown = callStore.getState().call.status;
  const follow = () => {
    const { call } = callStore.getState();
    if (isInRoom(call) && !awake) {
      awake = new AbortController();
      keepAwake(awake.signal);
    } else if (!isInRoom(call)) {
      awake?.abort();
      awake = null;
    }
    if (call.status === shown) return;
    const before = shown;
    shown = call.status;
    offerKeys(shown, before, keys);
    if (before === "idle") showSwitches(localMedia.getState().media);
  };
  const stops = [
    callStore.subscribe(follow),
    localMedia.subscribe(({ media }) => callStore.getState().call.status !== "idle" && showSwitches(media)),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    awake?.abort();
    offerKeys("idle", shown, keys);
  });
}
