import { createStore, useStore } from "zustand";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { missingCallSupport } from "./call-support.ts";
import { failureOf, type MediaFailure } from "./media-failure.ts";
import { soundConstraints } from "./media-options.ts";

/**
 * The local camera and microphone. A press opens them, and they outlive calls, so that the next call starts at once.
 *
 * off: nothing is open. opening: the browser may be asking for permission. live: both tracks run; a switch only
 * disables its track, so that a call continues. failed: `failure` is the reason; from the start in a browser that
 * cannot have calls.
 */
export type LocalMedia =
  | { status: "off" }
  | { status: "opening" }
  | { status: "live"; stream: MediaStream; cameraOn: boolean; microphoneOn: boolean }
  | { status: "failed"; failure: MediaFailure };

export interface DeviceLists {
  videoinput: readonly MediaDeviceInfo[];
  audioinput: readonly MediaDeviceInfo[];
  audiooutput: readonly MediaDeviceInfo[];
}

const noDevices: DeviceLists = { videoinput: [], audioinput: [], audiooutput: [] };

interface Chosen {
  cameraId: string | null;
  microphoneId: string | null;
  speakerId: string | null;
}

/** Null: the browser's default. */
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
  chosen: { ...anyDevices, speakerId: null },
  lastOpened: anyDevices,
}));
const endedListeners = new Set<(kind: "audio" | "video") => void>();
let openings = 0;
/** The opening in progress, shared by all callers. */
let opened: Promise<LocalMedia> | null = null;
let reopening: Promise<void> = Promise.resolve();

export const localMedia: Pick<typeof store, "getState" | "subscribe"> = store;
export const useLocalMedia = (): LocalMedia => useStore(store, (state) => state.media);
export const useDevices = (): DeviceLists => useStore(store, (state) => state.devices);
export const useChosenDevices = (): Chosen => useStore(store, (state) => state.chosen);

/**
 * Calls the listener when a running track ends by itself: the device was unplugged, or the permission revoked (rule
 * CALL-8).
 */
export function onLocalTrackEnded(listener: (kind: "audio" | "video") => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
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
    // Closed or opened again meanwhile: this stream has no owner.
    if (media.status === "live") stopTracks(media.stream);
    return store.getState().media;
  }
  if (media.status === "live") {
    watch(media.stream);
    store.setState({ lastOpened: taken });
    if (!isSame(taken, chosen)) giveUp(chosen, taken);
  }
  setMedia(media);
  // Callers wait for the stream, not for the names of the devices.
  void refreshDevices();
  return media;
}

/** A device that was chosen meanwhile stays chosen: it is opened next. */
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
  const { media } = store.getState();
  if (media.status === "live") stopTracks(media.stream);
  if (media.status !== "off") setMedia(atRest());
}

/** Whether this browser cannot have calls: no request opens the camera. */
export function isUnsupported(): boolean {
  const { media } = store.getState();
  return media.status === "failed" && media.failure.reason === "unsupported";
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

/** Chooses another device, before a call: the stream is opened again with it. */
export async function chooseDevice(kind: keyof Chosen, deviceId: string): Promise<void> {
  store.setState({ chosen: { ...store.getState().chosen, [kind]: deviceId } });
  if (kind !== "speakerId") await reopenMedia();
}

/** Opens live media again, before a call, with the chosen devices and sound options; one after the other. */
export function reopenMedia(): Promise<void> {
  reopening = reopening.then(reopen);
  return reopening;
}

async function reopen(): Promise<void> {
  if (store.getState().media.status === "opening") await opened;
  const { media } = store.getState();
  if (media.status !== "live") return;
  closeMedia();
  const again = await openMedia();
  // A track that was off stays off: choosing a microphone must not turn the camera on.
  if (again.status !== "live") return;
  if (!media.cameraOn) switchCamera(false);
  if (!media.microphoneOn) switchMicrophone(false);
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
      video: { ...idealVideo, ...(cameraId && { deviceId: { ideal: cameraId } }) },
      audio: {
        ...soundConstraints(),
        ...(microphoneId && { deviceId: { ideal: microphoneId } }),
      },
    });
    return { status: "live", stream, cameraOn: true, microphoneOn: true };
  } catch (error) {
    return { status: "failed", failure: failureOf(error, foundIn(await listDevices())) };
  }
}

function isBusy(media: LocalMedia): boolean {
  return media.status === "failed" && media.failure.reason === "busy";
}

function isSame(one: Devices, other: Devices): boolean {
  return one.cameraId === other.cameraId && one.microphoneId === other.microphoneId;
}

function watch(stream: MediaStream): void {
  for (const track of stream.getTracks()) {
    track.addEventListener("ended", () => {
      const { media } = store.getState();
      if (media.status !== "live" || media.stream !== stream) return;
      closeMedia();
      void refreshDevices();
      for (const listener of endedListeners) listener(track.kind === "audio" ? "audio" : "video");
    });
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
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
