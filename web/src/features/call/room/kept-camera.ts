import { cameraKeptMs } from "@fava/wire/limits.ts";
import { createStore, useStore } from "zustand";
import { callStore } from "#features/call/machine/call-store.ts";
import { closeMedia, localMedia } from "#lib/media/local-media.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** When the camera that stays open after End closes, in milliseconds since the epoch; null: no camera is kept. */
const store = createStore<{ untilMs: number | null }>(() => ({ untilMs: null }));
let timer: ReturnType<typeof setTimeout> | undefined;
/** The mounted views that show the local video before a call. */
const previews = new Set<symbol>();

/** When a kept camera turns off, in milliseconds since the epoch; null while none is kept. */
export function useCameraKept(): number | null {
  return useStore(store, ({ untilMs }) => untilMs);
}

/** Whether the user set this device to keep the camera open after End. */
export function wantsCameraKept(): boolean {
  return readStored("keepCamera") === 1;
}

/** Saves the choice; turning it off closes a kept camera at once. */
export function setCameraKept(wanted: boolean): void {
  writeStored("keepCamera", wanted ? 1 : 0);
  if (!wanted) closeKept();
}

/**
 * Marks the local video as shown on home. Returns a function that ends this and then closes camera and microphone,
 * unless a call uses them.
 */
export function showPreview(): () => void {
  const preview = Symbol("preview");
  previews.add(preview);
  return () => {
    previews.delete(preview);
    // A view that mounts again in the same turn keeps the camera open.
    queueMicrotask(closeUnseen);
  };
}

/** Closes local media that neither home shows nor a call uses. */
export function closeUnseen(): void {
  const { media } = localMedia.getState();
  const isUnseen = previews.size === 0 && callStore.getState().call.status === "idle";
  if (isUnseen && media.status === "live") closeMedia();
}

/**
 * Handles the local media after End: closes them, or keeps them for `cameraKeptMs` if the user chose so. Always closes a
 * camera that is off, that home does not show, or whose page is hidden.
 */
export function closeAfterEnd(): void {
  const { media } = localMedia.getState();
  const isSeen = media.status === "live" && media.cameraOn && previews.size > 0 && !document.hidden;
  if (!isSeen || !wantsCameraKept()) return closeMedia();
  clearTimeout(timer);
  timer = setTimeout(closeKept, cameraKeptMs);
  store.setState({ untilMs: Date.now() + cameraKeptMs });
}

/**
 * Until `signal` aborts, closes a kept camera when the page is hidden or the camera is switched off. A new search takes
 * the camera over; any other close (sign-out, another tab) cancels the timer.
 */
export function followKeptCamera(signal: AbortSignal): void {
  const stops = [
    callStore.subscribe(({ call }) => call.status !== "idle" && forget()),
    localMedia.subscribe(({ media }) => {
      if (media.status !== "live") forget();
      else if (!media.cameraOn) closeKept();
    }),
  ];
  // This event also fires when the page closes.
  document.addEventListener("visibilitychange", visibilityChanged);
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", visibilityChanged);
    closeKept();
  });
}

function visibilityChanged(): void {
  if (document.hidden) closeKept();
}

function closeKept(): void {
  if (store.getState().untilMs === null) return;
  forget();
  closeMedia();
}

function forget(): void {
  clearTimeout(timer);
  if (store.getState().untilMs !== null) store.setState({ untilMs: null });
}
