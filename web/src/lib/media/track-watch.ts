/** What happens to a running track without the page's doing. */
export interface TrackListener {
  /** The device was unplugged, or the permission was revoked. */
  ended(): void;
  /** The system took the device away, as a phone does for a phone call. The track stays live and sends nothing. */
  muted(): void;
  /** The system returned the device. `isFirst`: this track has never sent anything before. */
  unmuted(isFirst: boolean): void;
}

/** A track that is muted for a shorter time is not reported. */
export const mutedAfterMs = 1_000;

/** Reports the end and the mutes of a local track, until `signal` aborts. */
export function watchTrack(track: MediaStreamTrack, listener: TrackListener, signal: AbortSignal): void {
  let hasRun = !track.muted;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReported = false;
  const mute = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isReported = true;
      listener.muted();
    }, mutedAfterMs);
  };
  const unmute = () => {
    clearTimeout(timer);
    if (isReported) listener.unmuted(!hasRun);
    isReported = false;
    hasRun = true;
  };
  track.addEventListener("ended", () => listener.ended(), { signal });
  track.addEventListener("mute", mute, { signal });
  track.addEventListener("unmute", unmute, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  if (track.muted) mute();
}
