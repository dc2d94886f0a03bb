import type { BlurredCamera } from "./blur/blurred-camera.ts";

/** The camera of each track with a blurred background. */
const blurred = new WeakMap<MediaStreamTrack, BlurredCamera & { readonly camera: MediaStreamTrack }>();

/** Whether a worker of this browser can change the frames of a track, also while the page is hidden. */
export function canBlur(): boolean {
  const needed = ["MediaStreamTrackProcessor", "MediaStreamTrackGenerator"];
  return needed.every((name) => Reflect.get(globalThis, name) !== undefined);
}

/**
 * Starts to blur the background of a camera, and returns the track to send. Rejects if the page cannot load the blur.
 *
 * @param onFailed is called if the blur stops later: the track has ended, the camera still runs
 */
export async function blurredTrack(
  camera: MediaStreamTrack,
  onFailed: (why: string) => void,
): Promise<MediaStreamTrack> {
  if (!canBlur()) throw new Error("this browser cannot blur");
  const { blurCamera } = await import("./blur/blurred-camera.ts");
  const sent = blurCamera(camera, onFailed);
  blurred.set(sent.track, { ...sent, camera });
  return sent.track;
}

/** The track of the device behind a sent track: only it knows the device's settings, mutes and end. */
export function deviceTrackOf(sent: MediaStreamTrack): MediaStreamTrack {
  return blurred.get(sent)?.camera ?? sent;
}

/** Stops a sent track and its device. */
export function stopTrack(sent: MediaStreamTrack): void {
  deviceTrackOf(sent).stop();
  endBlur(sent);
}

/** Stops a track with a blurred background, while its device runs on. */
export function endBlur(sent: MediaStreamTrack): void {
  blurred.get(sent)?.stop();
}
