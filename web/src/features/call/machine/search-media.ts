import type { SearchMediaState } from "@fava/wire/socket.ts";
import { type LocalMedia, sentOf } from "#lib/media/local-media.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import type { CallPorts } from "./call-ports.ts";
import { callStore } from "./call-store.ts";
import { isHiddenPhone } from "./hidden-phone.ts";

/** The note about the checks counts as read once it was visible for this long in total, over any number of searches. */
export const noteReadMs = 4_000;

/** Whether the user was told that frames are inspected during a search; until then the server must not request any. */
export function areSearchChecksTold(): boolean {
  return readStored("searchChecksTold") === 1;
}

/** Remembers it until sign-out (rule STORE-1). */
export function noteSearchChecksTold(): void {
  writeStored("searchChecksTold", 1);
}

/** Why the local video shows nothing during a search; null if it shows something. */
export function ownVideoUnseen(media: LocalMedia): "camera_off" | "away" | null {
  if (!shownStream(media)) return "camera_off";
  return isHiddenPhone() ? "away" : null;
}

/**
 * Reports each change of the local camera during a search, because it voids the verdict on earlier frames. Returns how to
 * stop.
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
  /** Null while the camera shows nothing; another camera has another track. */
  track: MediaStreamTrack | null;
  isAway: boolean;
}

function ownVideo(media: LocalMedia): OwnVideo {
  return { track: shownStream(media)?.getVideoTracks()[0] ?? null, isAway: isHiddenPhone() };
}

/** A change of the camera counts as one that turns off and another that turns on. */
function changesOf(before: OwnVideo, now: OwnVideo): readonly SearchMediaState[] {
  const changes: SearchMediaState[] = [];
  if (before.track !== now.track) {
    if (before.track) changes.push("camera_off");
    if (now.track) changes.push("camera_on");
  }
  if (before.isAway !== now.isAway) changes.push(now.isAway ? "away" : "back");
  return changes;
}

/** The local stream if the camera is on and runs. */
export function shownStream(media: LocalMedia): MediaStream | null {
  return media.status === "live" && sentOf(media, "camera") === "on" ? media.stream : null;
}
