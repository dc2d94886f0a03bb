import { cameraKeptMs } from "@fava/wire/limits.ts";
import { createStore, useStore } from "zustand";
import { callStore } from "#features/call/machine/call-store.ts";
import { closeMedia, localMedia } from "#lib/media/local-media.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Until when the camera stays open after End; null: it does not. */
const store = createStore<{ untilMs: number | null }>(() => ({ untilMs: null }));
let timer: ReturnType<typeof setTimeout> | undefined;
/** The places that show the own picture before a call. */
const previews = new Set<symbol>();

/** When the camera goes off by itself, in milliseconds since the epoch; null while it does not. */
export function useCameraKept(): number | null {
  return useStore(store, ({ untilMs }) => untilMs);
}

/** Whether this person wants the camera to stay open after End, on this device. */
export function wantsCameraKept(): boolean {
  return readStored("keepCamera") === 1;
}

/** Switched off, a camera that is still open after a call goes at once. */
export function setCameraKept(wanted: boolean): void {
  writeStored("keepCamera", wanted ? 1 : 0);
  if (!wanted) closeKept();
}

/**
 * Home shows the own picture, until the answer is called: camera and microphone go off with it, unless a call has them.
 */
export function showPreview(): () => void {
  const preview = Symbol("preview");
  previews.add(preview);
  return () => {
    previews.delete(preview);
    // What is put back in the same turn was not left.
    queueMicrotask(closeUnseen);
  };
}

/** Closes an own picture that neither home shows nor a call has. */
export function closeUnseen(): void {
  const { media } = localMedia.getState();
  const isUnseen = previews.size === 0 && callStore.getState().call.status === "idle";
  if (isUnseen && media.status === "live") closeMedia();
}

/**
 * The own picture after End: closed, or kept for `cameraKeptMs` for whoever wants that. One
 * that the person has switched off, that home does not show, or that nobody looks at, is closed.
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
 * Until `signal` is aborted: a camera that is kept goes at once with the page, and where it is switched off; another
 * search takes it over. Whatever else closes it (sign-out, another tab) ends the waiting, too.
 */
export function followKeptCamera(signal: AbortSignal): void {
  const stops = [
    callStore.subscribe(({ call }) => call.status !== "idle" && forget()),
    localMedia.subscribe(({ media }) => {
      if (media.status !== "live") forget();
      else if (!media.cameraOn) closeKept();
    }),
  ];
  // Also told by a page that goes.
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
