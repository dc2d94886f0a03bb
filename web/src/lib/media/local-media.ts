import { createStore, useStore } from "zustand";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { whyNoCalls } from "./call-support.ts";
import { failureOf, type MediaFailure } from "./media-failure.ts";
import { soundConstraints } from "./media-options.ts";

/**
 * The own camera and microphone. They are opened by a press and outlive calls, so that the next face appears at once.
 *
 * off: nothing is open. opening: the browser may be asking. live: both tracks run; a switch only disables its track, so
 * that a call goes on. failed: why not; in a browser that cannot have calls from the beginning.
 */
export type LocalMedia =
  | { status: "off" }
  | { status: "opening" }
  | { status: "live"; stream: MediaStream; cameraOn: boolean; microphoneOn: boolean }
  | { status: "failed"; failure: MediaFailure };

/** The devices of this machine by kind. */
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

/** Null: whichever the browser takes. */
type Devices = Pick<Chosen, "cameraId" | "microphoneId">;

interface State {
  media: LocalMedia;
  devices: DeviceLists;
  chosen: Chosen;
  /** With what both were opened last. */
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
/** The opening under way, which everybody who asks meanwhile waits for. */
let opened: Promise<LocalMedia> | null = null;
let reopening: Promise<void> = Promise.resolve();

export const localMedia: Pick<typeof store, "getState" | "subscribe"> = store;
export const useLocalMedia = (): LocalMedia => useStore(store, (state) => state.media);
export const useDevices = (): DeviceLists => useStore(store, (state) => state.devices);
export const useChosenDevices = (): Chosen => useStore(store, (state) => state.chosen);

/** Told when a running track ends by itself: unplugged, or the permission was taken back (rule CALL-8). */
export function onLocalTrackEnded(listener: (kind: "audio" | "video") => void): () => void {
  endedListeners.add(listener);
  return () => endedListeners.delete(listener);
}

/** Opens camera and microphone, asking the person if the browser wants to; answers what came of it. */
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
  // Another program has what was chosen: what ran before, or else whatever there is, is better than nothing.
  for (const other of [lastOpened, anyDevices]) {
    if (opening !== openings || !isBusy(media)) break;
    if (isSame(other, taken)) continue;
    taken = other;
    media = await open(taken);
  }
  if (opening !== openings) {
    // Closed, or asked again, meanwhile: this stream has no owner any more.
    if (media.status === "live") stopTracks(media.stream);
    return store.getState().media;
  }
  if (media.status === "live") {
    watch(media.stream);
    store.setState({ lastOpened: taken });
    if (!isSame(taken, chosen)) giveUp(chosen, taken);
  }
  setMedia(media);
  // Whoever waits for the picture waits for no list: the names of the devices follow.
  void refreshDevices();
  return media;
}

/** What was chosen since then is kept: it is opened next. */
function giveUp(wanted: Devices, taken: Devices): void {
  const { chosen } = store.getState();
  const cameraId = chosen.cameraId === wanted.cameraId ? taken.cameraId : chosen.cameraId;
  const microphoneId = chosen.microphoneId === wanted.microphoneId ? taken.microphoneId : chosen.microphoneId;
  store.setState({ chosen: { ...chosen, cameraId, microphoneId } });
  showToast({ type: "warning", text: t("device.busyText") });
}

/** The device check: one camera and one microphone are there. Opens nothing and asks nobody (rule CALL-10). */
export async function checkDevices(): Promise<boolean> {
  if (isUnsupported()) return false;
  await refreshDevices();
  const found = foundIn(store.getState().devices);
  if (found.camera && found.microphone) return true;
  if (store.getState().media.status !== "live")
    setMedia({ status: "failed", failure: { reason: "missing", ...found } });
  return false;
}

/** Turns camera and microphone off for good; the light goes out. */
export function closeMedia(): void {
  openings += 1;
  const { media } = store.getState();
  if (media.status === "live") stopTracks(media.stream);
  if (media.status !== "off") setMedia(atRest());
}

/** This browser cannot have calls: no request opens the camera. */
export function isUnsupported(): boolean {
  const { media } = store.getState();
  return media.status === "failed" && media.failure.reason === "unsupported";
}

function atRest(): LocalMedia {
  const why = whyNoCalls();
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

/** Takes another device, before a call: the stream is opened anew with it. */
export async function chooseDevice(kind: keyof Chosen, deviceId: string): Promise<void> {
  store.setState({ chosen: { ...store.getState().chosen, [kind]: deviceId } });
  if (kind !== "speakerId") await reopenMedia();
}

/** Opens what is open anew, before a call, with the devices and the sound that are chosen by then; one after the other. */
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
  // What was switched off stays off: another microphone must not turn the camera on.
  if (again.status !== "live") return;
  if (!media.cameraOn) switchCamera(false);
  if (!media.microphoneOn) switchMicrophone(false);
}

/** Follows devices that come and go until `signal` is aborted; a camera that appears mends a failure by itself. */
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

/** Lists the devices; before permission they have no names. Empty where the page may not have any. */
async function listDevices(): Promise<DeviceLists> {
  if (!("mediaDevices" in navigator)) return noDevices;
  const all = await navigator.mediaDevices.enumerateDevices();
  const of = (kind: MediaDeviceKind) => all.filter((device) => device.kind === kind);
  return { videoinput: of("videoinput"), audioinput: of("audioinput"), audiooutput: of("audiooutput") };
}

/** The device check: at least one camera and one microphone (rule CALL-10). */
function foundIn(devices: DeviceLists): { camera: boolean; microphone: boolean } {
  return { camera: devices.videoinput.length > 0, microphone: devices.audioinput.length > 0 };
}
