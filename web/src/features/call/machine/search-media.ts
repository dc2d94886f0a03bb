import type { SearchMediaState } from "@fava/wire/socket.ts";
import type { LocalMedia } from "#lib/media/local-media.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import type { CallPorts } from "./call-ports.ts";
import { callStore } from "./call-store.ts";
import { isHiddenPhone } from "./hidden-phone.ts";

/** The note about the checks counts as read once it has been in view for this long, over however many searches. */
export const noteReadMs = 4_000;

/** Whether this person was told that pictures are looked at while one searches; until then none is to be asked for. */
export function areSearchChecksTold(): boolean {
  return readStored("searchChecksTold") === 1;
}

/** Holds until sign-out (rule STORE-1). */
export function noteSearchChecksTold(): void {
  writeStored("searchChecksTold", 1);
}

/** Why nothing is to be seen of the own picture while one searches; null where something is. */
export function ownVideoUnseen(media: LocalMedia): "camera_off" | "away" | null {
  if (!shownStream(media)) return "camera_off";
  return isHiddenPhone() ? "away" : null;
}

/**
 * Tells each change of the own camera while one searches: what was found of the picture before holds for it no more.
 * Answers how to stop.
 */
export function followSearchMedia(
  { localMedia }: Pick<CallPorts, "localMedia">,
  tell: (state: SearchMediaState) => void,
): () => void {
  const seen = () => ownVideo(localMedia.getState().media);
  let before = seen();
  const look = () => {
    const now = seen();
    const changes = changesOf(before, now);
    before = now;
    if (callStore.getState().call.status !== "searching" || !areSearchChecksTold()) return;
    for (const state of changes) tell(state);
  };
  const stop = localMedia.subscribe(look);
  document.addEventListener("visibilitychange", look);
  return () => {
    stop();
    document.removeEventListener("visibilitychange", look);
  };
}

interface OwnVideo {
  /** Null while the camera is off; another camera comes with another stream. */
  stream: MediaStream | null;
  isAway: boolean;
}

function ownVideo(media: LocalMedia): OwnVideo {
  return { stream: shownStream(media), isAway: isHiddenPhone() };
}

/** Another camera is the end of one and the beginning of the next. */
function changesOf(before: OwnVideo, now: OwnVideo): readonly SearchMediaState[] {
  const changes: SearchMediaState[] = [];
  if (before.stream !== now.stream) {
    if (before.stream) changes.push("camera_off");
    if (now.stream) changes.push("camera_on");
  }
  if (before.isAway !== now.isAway) changes.push(now.isAway ? "away" : "back");
  return changes;
}

/** The own picture where the camera is on. */
export function shownStream(media: LocalMedia): MediaStream | null {
  return media.status === "live" && media.cameraOn ? media.stream : null;
}
