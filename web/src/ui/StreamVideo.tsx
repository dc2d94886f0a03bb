import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import { BlurredVideo } from "#ui/BlurredVideo.tsx";
import styles from "#ui/StreamVideo.module.css";

export interface StreamVideoProps {
  /** Null: there is none yet, and the video is hidden. */
  stream: MediaStream | null;
  /** Name for screen readers; undefined while there is no stream. */
  label: string | undefined;
  muted?: boolean;
  mirrored?: boolean;
  hidden?: boolean;
  blurred?: boolean;
  /** Whether the video is visible from its first frame on; then no other video may cover it. */
  clear?: boolean;
  /** Whether a blurred video is almost without colour and darker as well. */
  grey?: boolean;
  /** Whether the blur of a video keeps its last picture for now. */
  isStill?: () => boolean;
  /** Volume, 0 to 1. */
  volume?: number;
  /** Id of the sound output, for browsers that can choose one. */
  speakerId?: string | null;
  /** Called once the first frame of this stream is shown; for a clear video, after the browser has painted it. */
  onFirstFrame?: () => void;
  /** Called when the browser requires a press before it plays sound, or before it plays anything. */
  onBlocked?: (what: "sound" | "all") => void;
  /** The video element, for further use. */
  video?: RefObject<HTMLVideoElement | null>;
  /** Whether the browser may show the video in picture-in-picture; only if the user may see it. */
  mayFloat?: boolean;
}

/**
 * A live stream that fills its place. Volume, output and first frame are not attributes, so they are set in effects.
 */
export function StreamVideo(props: StreamVideoProps): ReactNode {
  const video = useRef<HTMLVideoElement>(null);
  useImperativeHandle<HTMLVideoElement | null, HTMLVideoElement | null>(props.video, () => video.current, []);
  const { stream, muted = false, volume = 1, speakerId = null } = props;
  const told = useRef(props);
  useEffect(() => {
    told.current = props;
  });
  useEffect(() => {
    const element = video.current;
    if (!element || !stream) return undefined;
    // For a muted audio track browsers play silence, a hundred times a second.
    element.srcObject = muted ? new MediaStream(stream.getVideoTracks()) : stream;
    let current = true;
    // An abort because the stream was replaced is no refusal.
    const isRefused = (error: unknown) => current && error instanceof DOMException && error.name === "NotAllowedError";
    element.play().catch((error: unknown) => {
      if (!isRefused(error)) return;
      if (element.muted) return told.current.onBlocked?.("all");
      // The browser refuses sound: plays at least the video, muted.
      element.muted = true;
      element.play().then(
        () => current && told.current.onBlocked?.("sound"),
        (again: unknown) => isRefused(again) && told.current.onBlocked?.("all"),
      );
    });
    let telling = 0;
    const frame = element.requestVideoFrameCallback(() => {
      const tell = () => told.current.onFirstFrame?.();
      if (!told.current.clear) return tell();
      // The frame is visible already: the work that this call causes starts with the next frame, after the paint of
      // this one.
      telling = requestAnimationFrame(() => (telling = requestAnimationFrame(tell)));
    });
    return () => {
      current = false;
      element.cancelVideoFrameCallback(frame);
      cancelAnimationFrame(telling);
      element.srcObject = null;
    };
  }, [stream, muted, video]);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const wanted = Math.min(1, Math.max(0, volume));
    element.volume = wanted;
    // iOS ignores the volume; silence it obeys.
    if (element.volume !== wanted && !muted) element.muted = wanted === 0;
  }, [volume, stream, muted, video]);
  // iOS pauses the videos of a page in the background.
  useEffect(() => {
    const owner = new AbortController();
    const playAgain = () => {
      const element = video.current;
      if (document.hidden || !element?.paused || !element.srcObject) return;
      element.play().catch((error: unknown) => console.info("could not play again", error));
    };
    document.addEventListener("visibilitychange", playAgain, { signal: owner.signal });
    for (const event of ["pageshow", "focus"]) window.addEventListener(event, playAgain, { signal: owner.signal });
    return () => owner.abort();
  }, [video]);
  useEffect(() => {
    const element: (HTMLVideoElement & { setSinkId?: (id: string) => Promise<void> }) | null = video.current;
    if (!element?.setSinkId || speakerId === null) return;
    element.setSinkId(speakerId).catch((error: unknown) => console.info("could not switch the speaker", error));
  }, [speakerId, stream, video]);
  const { mayFloat = false } = props;
  const hidden = stream === null || (props.hidden ?? false);
  useEffect(() => {
    // Not every browser leaves picture-in-picture when the attribute that forbids it is set.
    if (mayFloat || !video.current || document.pictureInPictureElement !== video.current) return;
    document
      .exitPictureInPicture()
      .catch((error: unknown) => console.info("could not leave picture-in-picture", error));
  }, [mayFloat, video]);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live picture of a stranger has no captions */}
      <video
        ref={video}
        className={styles.video}
        aria-label={props.label}
        data-mirrored={props.mirrored || undefined}
        data-hidden={hidden || undefined}
        data-clear={props.clear || undefined}
        muted={muted}
        autoPlay
        playsInline
        disablePictureInPicture={!mayFloat}
      />
      {props.blurred && !hidden && (
        <BlurredVideo
          video={video}
          mirrored={props.mirrored ?? false}
          grey={props.grey ?? false}
          isStill={props.isStill}
        />
      )}
    </>
  );
}
