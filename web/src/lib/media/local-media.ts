import { createStore, useStore } from "zustand";
import { t } from "#lib/i18n.ts";
import { session } from "#lib/session.ts";
import { readStored, type Stored, writeStored } from "#lib/storage.ts";
import { showToast } from "#ui/toast-store.ts";
import { missingCallSupport } from "./call-support.ts";
import { failureOf, type MediaFailure } from "./media-failure.ts";
import { blursBackground, setMediaOption, soundConstraints } from "./media-options.ts";
import { blurredTrack, deviceTrackOf, endBlur, stopTrack } from "./sent-track.ts";
import { watchTrack } from "./track-watch.ts";

/**
 * The local camera and microphone. A press opens them, and they outlive calls, so that the next call starts at once.
 *
 * off: nothing is open. opening: the browser may be asking for permission. live: both devices are open; a switch only
 * disables its track, so that a call continues, and a replaced track makes a new stream. failed: `failure` is the
 * reason; from the start in a browser that cannot have calls.
 */
export type LocalMedia =
  | { status: "off" }
  | { status: "opening" }
  | LiveMedia
  | { status: "failed"; failure: MediaFailure };

export interface LiveMedia {
  status: "live";
  stream: MediaStream;
  /** Whether the user has camera and microphone switched on. */
  cameraOn: boolean;
  microphoneOn: boolean;
  camera: DeviceState;
  microphone: DeviceState;
}

/**
 * muted: the system has taken the device away. switching: the track ended or was replaced, and another one is opening.
 */
export type DeviceState = "running" | "muted" | "switching";

type Device = "camera" | "microphone";

/** What the user sends of a device: `off` also if the system took it away. */
export type Sent = "on" | "off" | "switching";

export function sentOf(media: LocalMedia, device: Device): Sent {
  if (media.status !== "live" || !(device === "camera" ? media.cameraOn : media.microphoneOn)) return "off";
  const state = media[device];
  return state === "running" ? "on" : state === "muted" ? "off" : "switching";
}

export interface DeviceLists {
  videoinput: readonly MediaDeviceInfo[];
  audioinput: readonly MediaDeviceInfo[];
  audiooutput: readonly MediaDeviceInfo[];
}

const noDevices: DeviceLists = { videoinput: [], audioinput: [], audiooutput: [] };

/** The direction of a phone's camera: `user` is the front one. */
type Facing = "user" | "environment";

/** The chosen devices, stored in this browser; a null id is the browser's default. */
interface Chosen extends Stored<"devices"> {
  /** The direction of the camera to open, unless one was chosen by its id. */
  facing: Facing;
}

type DeviceChoice = keyof Stored<"devices">;
type Devices = Pick<Chosen, "cameraId" | "microphoneId">;

interface State {
  media: LocalMedia;
  devices: DeviceLists;
  chosen: Chosen;
  /** The devices of the last opening. */
  lastOpened: Devices;
}

const anyDevices: Devices = { cameraId: null, microphoneId: null };

const idealVideo = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 24 } } as const;

const store = createStore<State>(() => ({
  media: atRest(),
  devices: noDevices,
  chosen: chosenAtFirst(),
  lastOpened: anyDevices,
}));
// Sign-out has cleared the choice: the next user does not inherit it.
session.subscribe(({ status }) => {
  if (status !== "signed-in") store.setState({ chosen: chosenAtFirst() });
});
const endedListeners = new Set<() => void>();
let openings = 0;
/** The opening in progress, shared by all callers. */
let opened: Promise<LocalMedia> | null = null;
/** Whether a track that ends by itself is replaced, as during a call. */
let isKept: () => boolean = () => false;
/** Ends the watch of each device's track. */
const watches: Record<Device, AbortController | null> = { camera: null, microphone: null };
/** The replacement in progress of each device's track. */
const replacements: Record<Device, AbortController | null> = { camera: null, microphone: null };
const chains: Record<Device, Promise<unknown>> = { camera: Promise.resolve(), microphone: Promise.resolve() };

export const localMedia: Pick<typeof store, "getState" | "subscribe"> = store;
export const useLocalMedia = (): LocalMedia => useStore(store, (state) => state.media);
/** Whether a device is on; true as long as none is open, so that its opening renders nothing. */
export const useIsSwitchedOn = (device: Device): boolean =>
  useStore(
    store,
    ({ media }) => media.status !== "live" || (device === "camera" ? media.cameraOn : media.microphoneOn),
  );
export const useDevices = (): DeviceLists => useStore(store, (state) => state.devices);
export const useChosenDevices = (): Chosen => useStore(store, (state) => state.chosen);

/**
 * Calls the listener when a track has ended by itself and was not replaced: the device was unplugged, or the permission
 * revoked (rule CALL-8). Camera and microphone are closed by then.
 */
export function onLocalTrackEnded(listener: () => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
}

/** While `isInUse` returns true, a track that ends is replaced by one of any device. Returns how to stop. */
export function keepTracksWhile(isInUse: () => boolean): () => void {
  isKept = isInUse;
  return () => {
    isKept = () => false;
  };
}

/** Opens camera and microphone, for which the browser may ask for permission; resolves to the result. */
export async function openMedia(): Promise<LocalMedia> {
  const present = store.getState().media;
  if (present.status === "live" || isUnsupported()) return present;
  if (present.status === "opening" && opened) return opened;
  opened = openAnew();
  return opened;
}

async function openAnew(): Promise<LocalMedia> {
  openings += 1;
  const opening = openings;
  setMedia({ status: "opening" });
  const { chosen, lastOpened } = store.getState();
  let taken: Devices = chosen;
  let media = await open(taken);
  // Another program uses the chosen device: fall back to the devices that ran before, then to any.
  for (const other of [lastOpened, anyDevices]) {
    if (opening !== openings || !isBusy(media)) break;
    if (isSame(other, taken)) continue;
    taken = other;
    media = await open(taken);
  }
  if (opening !== openings) {
    // The media were closed or opened again meanwhile, so nothing will use this stream.
    if (media.status === "live") stopTracks(media.stream);
    return store.getState().media;
  }
  if (media.status === "live") {
    for (const device of devicesOf) watch(device, media.stream);
    store.setState({ lastOpened: taken });
    if (!isSame(taken, chosen)) giveUp(chosen, taken);
  }
  setMedia(media);
  // Callers wait for the stream, not for the names of the devices.
  void refreshDevices();
  return media;
}

/**
 * The wanted devices did not open: chooses the opened ones instead. A device that the user has chosen meanwhile stays
 * chosen.
 */
function giveUp(wanted: Devices, taken: Devices): void {
  const { chosen } = store.getState();
  const cameraId = chosen.cameraId === wanted.cameraId ? taken.cameraId : chosen.cameraId;
  const microphoneId = chosen.microphoneId === wanted.microphoneId ? taken.microphoneId : chosen.microphoneId;
  store.setState({ chosen: { ...chosen, cameraId, microphoneId } });
  showToast({ type: "warning", text: t("device.busyText") });
}

/**
 * The device check: resolves to whether a camera and a microphone exist. Opens nothing and asks for no permission (rule
 * CALL-10).
 */
export async function checkDevices(): Promise<boolean> {
  if (isUnsupported()) return false;
  await refreshDevices();
  const found = foundIn(store.getState().devices);
  if (found.camera && found.microphone) return true;
  if (store.getState().media.status !== "live")
    setMedia({ status: "failed", failure: { reason: "missing", ...found } });
  return false;
}

/** Stops camera and microphone, so that the camera's light goes out. */
export function closeMedia(): void {
  openings += 1;
  for (const device of devicesOf) {
    watches[device]?.abort();
    replacements[device]?.abort();
  }
  const { media } = store.getState();
  if (media.status === "live") stopTracks(media.stream);
  if (media.status !== "off") setMedia(atRest());
}

/** Whether this browser cannot have calls: no request opens the camera. */
export function isUnsupported(): boolean {
  const { media } = store.getState();
  return media.status === "failed" && media.failure.reason === "unsupported";
}

function chosenAtFirst(): Chosen {
  const ids = readStored("devices") ?? { ...anyDevices, speakerId: null };
  return { ...ids, facing: "user" };
}

function atRest(): LocalMedia {
  const why = missingCallSupport();
  return why ? { status: "failed", failure: { reason: "unsupported", isOld: why === "old" } } : { status: "off" };
}

export function switchCamera(on: boolean): void {
  const { media } = store.getState();
  if (media.status !== "live") return;
  for (const track of media.stream.getVideoTracks()) track.enabled = on;
  setMedia({ ...media, cameraOn: on });
}

export function switchMicrophone(on: boolean): void {
  const { media } = store.getState();
  if (media.status !== "live") return;
  for (const track of media.stream.getAudioTracks()) track.enabled = on;
  setMedia({ ...media, microphoneOn: on });
}

/** Chooses another device. Replaces the track of a camera or microphone that is open, also in a call. */
export async function chooseDevice(kind: DeviceChoice, deviceId: string): Promise<void> {
  const { facing, ...ids } = { ...store.getState().chosen, [kind]: deviceId };
  store.setState({ chosen: { facing, ...ids } });
  writeStored("devices", ids);
  if (kind !== "speakerId") await renew(kind === "cameraId" ? "camera" : "microphone");
}

/** The cameras of a phone face in two directions. */
export function canFlip(media: LocalMedia, { videoinput }: DeviceLists): boolean {
  return media.status === "live" && videoinput.length > 1 && facingOf(media.stream) !== undefined;
}

/** Turns to the camera of the other direction, until the page is closed. */
export async function flipCamera(): Promise<void> {
  const { media, chosen } = store.getState();
  if (media.status !== "live") return;
  const facing = facingOf(media.stream) === "environment" ? "user" : "environment";
  store.setState({ chosen: { ...chosen, cameraId: null, facing } });
  await renew("camera");
}

/** A back camera shows the world, which is not mirrored. */
export function isBackCamera(stream: MediaStream): boolean {
  return facingOf(stream) === "environment";
}

function facingOf(stream: MediaStream): string | undefined {
  const track = trackOf(stream, "camera");
  return track && deviceTrackOf(track).getSettings().facingMode;
}

/** Opens a live microphone again with the chosen sound options. */
export function reopenMicrophone(): Promise<void> {
  return renew("microphone");
}

/** Sends the running camera with or without a blurred background, as the user has chosen. */
export async function applyBlur(): Promise<void> {
  if (store.getState().media.status === "opening") await opened;
  const applied = chains.camera.then(applyBlurNow);
  chains.camera = applied;
  await applied;
}

async function applyBlurNow(): Promise<void> {
  const before = liveCamera();
  if (!before) return;
  const device = deviceTrackOf(before);
  const sent = await sentTrack(device);
  const { media } = store.getState();
  if (media.status !== "live" || liveCamera() !== before) return sent ? endBlur(sent) : undefined;
  const track = sent ?? device;
  const cameraOn = media.cameraOn && sent !== null;
  track.enabled = cameraOn;
  // Frames of a disabled camera are black, also to the blur.
  if (track !== device) device.enabled = true;
  const stream = new MediaStream([...media.stream.getAudioTracks(), track]);
  endBlur(before);
  setMedia({ ...media, stream, cameraOn });
}

function liveCamera(): MediaStreamTrack | undefined {
  const { media } = store.getState();
  return media.status === "live" ? trackOf(media.stream, "camera") : undefined;
}

/** Opens a muted device again, and replaces an ended track: browsers do not report each change of a hidden page. */
export function checkTracks(): void {
  const { media } = store.getState();
  if (media.status !== "live") return;
  for (const device of devicesOf) {
    const sent = trackOf(media.stream, device);
    if (media[device] === "switching" || !sent) continue;
    const track = deviceTrackOf(sent);
    if (track.readyState === "ended") void ended(device);
    else if (track.muted) void revive(device);
  }
}

/** Follows devices that are plugged in and out until `signal` aborts; a new camera clears a failure. */
export function watchDevices(signal: AbortSignal): void {
  if (!("mediaDevices" in navigator))
    return setMedia({ status: "failed", failure: { reason: "unsupported", isOld: false } });
  void refreshDevices();
  navigator.mediaDevices.addEventListener("devicechange", () => void devicesChanged(), { signal });
}

async function devicesChanged(): Promise<void> {
  await refreshDevices();
  const { media, devices } = store.getState();
  if (media.status !== "failed" || media.failure.reason !== "missing") return;
  const found = foundIn(devices);
  if (found.camera && found.microphone) setMedia({ status: "off" });
  else setMedia({ status: "failed", failure: { reason: "missing", ...found } });
}

async function refreshDevices(): Promise<void> {
  store.setState({ devices: await listDevices() });
}

async function open({ cameraId, microphoneId }: Devices): Promise<LocalMedia> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      video: cameraConstraints(cameraId),
      audio: microphoneConstraints(microphoneId),
    });
    const camera = trackOf(stream, "camera");
    const sent = camera && (await sentTrack(camera));
    if (camera && !sent) camera.enabled = false;
    return {
      status: "live",
      stream: sent && sent !== camera ? new MediaStream([...stream.getAudioTracks(), sent]) : stream,
      cameraOn: !camera || sent !== null,
      microphoneOn: true,
      camera: "running",
      microphone: "running",
    };
  } catch (error) {
    return { status: "failed", failure: failureOf(error, foundIn(await listDevices())) };
  }
}

function cameraConstraints(cameraId: string | null): MediaTrackConstraints {
  // Without a direction, some phones open the back camera first.
  const which = cameraId
    ? { deviceId: { ideal: cameraId } }
    : { facingMode: { ideal: store.getState().chosen.facing } };
  return { ...idealVideo, ...which };
}

function microphoneConstraints(microphoneId: string | null): MediaTrackConstraints {
  return { ...soundConstraints(), ...(microphoneId && { deviceId: { ideal: microphoneId } }) };
}

/**
 * The track to send of a camera, with a blurred background if the user wants that. Null if the blur fails: the camera
 * is turned off, because the user did not agree to be seen without it.
 */
async function sentTrack(camera: MediaStreamTrack): Promise<MediaStreamTrack | null> {
  if (!blursBackground()) return camera;
  try {
    return await blurredTrack(camera, (why) => void blurStopped(why));
  } catch (error) {
    giveUpBlur(String(error));
    return null;
  }
}

async function blurStopped(why: string): Promise<void> {
  giveUpBlur(why);
  if (store.getState().media.status === "opening") await opened;
  switchCamera(false);
  await applyBlur();
}

function giveUpBlur(why: string): void {
  console.warn("background blur stopped", why);
  setMediaOption("blursBackground", false);
  const action = { text: t("home.turnOn"), run: () => switchCamera(true) };
  showToast({ type: "warning", text: t("options.blurStopped"), durationMs: null, action });
}

function isBusy(media: LocalMedia): boolean {
  return media.status === "failed" && media.failure.reason === "busy";
}

function isSame(one: Devices, other: Devices): boolean {
  return one.cameraId === other.cameraId && one.microphoneId === other.microphoneId;
}

const devicesOf = ["camera", "microphone"] as const satisfies readonly Device[];
const idOf = { camera: "cameraId", microphone: "microphoneId" } as const;

function trackOf(stream: MediaStream, device: Device): MediaStreamTrack | undefined {
  return device === "camera" ? stream.getVideoTracks()[0] : stream.getAudioTracks()[0];
}

function watch(device: Device, stream: MediaStream): void {
  watches[device]?.abort();
  const owner = new AbortController();
  watches[device] = owner;
  const track = trackOf(stream, device);
  if (!track) return;
  const listener = {
    ended: () => void ended(device),
    muted: () => mark(device, "muted"),
    // A phone may report that the device is back although its track stays silent. Only a new track is certain to work.
    unmuted: (isFirst: boolean) => (isFirst ? mark(device, "running") : void revive(device)),
  };
  watchTrack(deviceTrackOf(track), listener, owner.signal);
}

function mark(device: Device, state: DeviceState): void {
  const { media } = store.getState();
  if (media.status === "live" && media[device] !== state) setMedia({ ...media, [device]: state });
}

/** A track has ended by itself: opens any device of its kind, or closes both at once if no call needs them. */
async function ended(device: Device): Promise<void> {
  void refreshDevices();
  if (!isKept()) return lose();
  mark(device, "switching");
  const wanted = [...new Set([store.getState().chosen[idOf[device]], null])];
  if (isFailure(await replace(device, { wanted, withinMs: replaceMsMax }))) lose();
}

function lose(): void {
  closeMedia();
  void refreshDevices();
  for (const listener of endedListeners) listener();
}

/** Opens the device of a muted track again. If it does not open, the old track stays. */
async function revive(device: Device): Promise<void> {
  if (replacements[device]) return;
  const wanted = [store.getState().lastOpened[idOf[device]]];
  if (!isFailure(await replace(device, { wanted, withinMs: replaceMsMax }))) return;
  const { media } = store.getState();
  if (media.status !== "live") return;
  const track = trackOf(media.stream, device);
  mark(device, track && deviceTrackOf(track).muted ? "muted" : "running");
}

/** Replaces the running track by one of the chosen device. */
async function renew(device: Device): Promise<void> {
  if (store.getState().media.status === "opening") await opened;
  const { media, chosen, lastOpened } = store.getState();
  if (media.status !== "live") return;
  const id = idOf[device];
  // The present track runs on while the browser asks for permission.
  const first = await replace(device, { wanted: [chosen[id]], withinMs: null });
  if (!isFailure(first)) return;
  if (first.reason !== "busy") return revert(device, chosen[id]);
  // Some phones open no second camera beside a running one.
  watches[device]?.abort();
  const before = trackOf(media.stream, device);
  if (before) stopTrack(before);
  mark(device, "switching");
  const wanted = [...new Set([chosen[id], lastOpened[id], null])];
  const failure = await replace(device, { wanted, withinMs: replaceMsMax });
  if (!isFailure(failure)) return;
  if (isKept()) return lose();
  closeMedia();
  setMedia({ status: "failed", failure });
}

/** The wanted device did not open: the choice is again the device that runs. */
function revert(device: Device, wanted: string | null): void {
  const { chosen, lastOpened, media } = store.getState();
  const id = idOf[device];
  if (chosen[id] !== wanted || media.status !== "live") return;
  const facing = isBackCamera(media.stream) ? "environment" : "user";
  store.setState({ chosen: { ...chosen, [id]: lastOpened[id], facing } });
}

interface Replacement {
  /** The devices to try, in this order; null: any. */
  readonly wanted: readonly (string | null)[];
  /**
   * How long to retry during a call, in milliseconds. Null: one attempt, which waits as long as the browser asks the
   * user.
   */
  readonly withinMs: number | null;
}

/** overtaken: the media were closed, or a newer replacement began. */
type Outcome = "replaced" | "overtaken" | MediaFailure;

/** A call waits this long for another track. */
export const replaceMsMax = 5_000;
const replaceAgainMs = 500;

function isFailure(outcome: Outcome): outcome is MediaFailure {
  return typeof outcome === "object";
}

/** Puts another track in the place of the present one. The newest replacement of a device counts. */
function replace(device: Device, replacement: Replacement): Promise<Outcome> {
  replacements[device]?.abort();
  const owner = new AbortController();
  replacements[device] = owner;
  const replaced = chains[device].then(() => replaceNow(device, replacement, owner.signal));
  chains[device] = replaced.finally(() => {
    if (replacements[device] === owner) replacements[device] = null;
  });
  return replaced;
}

async function replaceNow(device: Device, { wanted, withinMs }: Replacement, signal: AbortSignal): Promise<Outcome> {
  const untilMs = withinMs === null ? Number.POSITIVE_INFINITY : performance.now() + withinMs;
  while (!signal.aborted) {
    const found = await openOne(device, { wanted, untilMs, signal });
    if (signal.aborted) {
      if ("track" in found) stopTrack(found.track);
      break;
    }
    if ("track" in found) return adopt(device, found);
    const leftMs = untilMs - performance.now();
    const isFinal = withinMs === null || leftMs <= 0 || found.failure.reason === "denied" || !isKept();
    if (isFinal) return found.failure;
    await untilAgain(Math.min(replaceAgainMs, leftMs), signal);
  }
  return "overtaken";
}

type Opened = { track: MediaStreamTrack; id: string | null; wanted: string | null } | { failure: MediaFailure };

async function openOne(
  device: Device,
  { wanted, untilMs, signal }: Pick<Replacement, "wanted"> & { untilMs: number; signal: AbortSignal },
): Promise<Opened> {
  let failure: MediaFailure = { reason: "busy" };
  for (const id of wanted) {
    const opening = navigator.mediaDevices.getUserMedia(
      device === "camera" ? { video: cameraConstraints(id) } : { audio: microphoneConstraints(id) },
    );
    try {
      const stream = await inTime(opening, untilMs, signal);
      if (!stream) return { failure };
      const track = trackOf(stream, device);
      if (!track) continue;
      const sent = device === "camera" ? await sentTrack(track) : track;
      if (!sent) switchCamera(false);
      return { track: sent ?? track, id, wanted: wanted[0] ?? null };
    } catch (error) {
      failure = failureOf(error, foundIn(await listDevices()));
      if (failure.reason !== "busy") return { failure };
    }
  }
  return { failure };
}

/** Null if the stream has not opened by `untilMs`, or `signal` aborts; a stream that opens later is stopped. */
async function inTime(
  opening: Promise<MediaStream>,
  untilMs: number,
  signal: AbortSignal,
): Promise<MediaStream | null> {
  const late = new AbortController();
  const over = AbortSignal.any([signal, late.signal]);
  const leftMs = Math.max(0, untilMs - performance.now());
  const timer = leftMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => late.abort(), leftMs);
  try {
    const aborted = new Promise<null>((resolve) => over.addEventListener("abort", () => resolve(null), { once: true }));
    const stream = await Promise.race([opening, aborted]);
    if (!stream || over.aborted) void opening.then(stopTracks, () => undefined);
    return over.aborted ? null : stream;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until another try may succeed: for `waitMs`, or until a device is plugged in. */
function untilAgain(waitMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  return new Promise<void>((resolve) => {
    const again = () => {
      over.abort();
      resolve();
    };
    const timer = setTimeout(again, waitMs);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    signal.addEventListener("abort", again, { signal: over.signal });
    navigator.mediaDevices.addEventListener("devicechange", again, { signal: over.signal });
  });
}

function adopt(device: Device, { track, id, wanted }: Extract<Opened, { track: MediaStreamTrack }>): "replaced" {
  // Reports another camera as one that turns off and one that turns on, because it shows something else.
  if (device === "camera") mark(device, "switching");
  const { media, chosen, lastOpened } = store.getState();
  if (media.status !== "live") {
    stopTrack(track);
    return "replaced";
  }
  const before = trackOf(media.stream, device);
  // A device that was off stays off: choosing a microphone must not turn the camera on.
  track.enabled = device === "camera" ? media.cameraOn : media.microphoneOn;
  const stream = new MediaStream([...media.stream.getTracks().filter((other) => other !== before), track]);
  watch(device, stream);
  if (before) stopTrack(before);
  const taken = { ...lastOpened, [idOf[device]]: id };
  store.setState({ lastOpened: taken });
  if (id !== wanted && chosen[idOf[device]] === wanted) giveUp(chosen, taken);
  setMedia({ ...media, stream, [device]: "running" });
  void refreshDevices();
  return "replaced";
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) stopTrack(track);
}

function setMedia(media: LocalMedia): void {
  store.setState({ media });
}

/** Lists the devices, before permission without names. Empty if the page may not access any. */
async function listDevices(): Promise<DeviceLists> {
  if (!("mediaDevices" in navigator)) return noDevices;
  const all = await navigator.mediaDevices.enumerateDevices();
  const of = (kind: MediaDeviceKind) => all.filter((device) => device.kind === kind);
  return { videoinput: of("videoinput"), audioinput: of("audioinput"), audiooutput: of("audiooutput") };
}

function foundIn(devices: DeviceLists): { camera: boolean; microphone: boolean } {
  return { camera: devices.videoinput.length > 0, microphone: devices.audioinput.length > 0 };
}
