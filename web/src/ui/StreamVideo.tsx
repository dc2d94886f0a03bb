import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useRef } from "react";
import { BlurredVideo } from "#ui/BlurredVideo.tsx";
import styles from "#ui/StreamVideo.module.css";

export interface StreamVideoProps {
  stream: MediaStream;
  /** Name for screen readers. */
  label: string;
  muted?: boolean;
  mirrored?: boolean;
  hidden?: boolean;
  blurred?: boolean;
  /** It may be seen as it is from its first frame on, which no other picture is to cover. */
  clear?: boolean;
  /** With `blurred`: almost without colour. */
  grey?: boolean;
  /** 0 to 1. */
  volume?: number;
  /** Sound output, where the browser can choose one. */
  speakerId?: string | null;
  /** The first frame of this stream was shown; where it is clear, told once the page was painted with it. */
  onFirstFrame?: () => void;
  /** The browser wants a press before it plays sound, or before it plays anything. */
  onBlocked?: (what: "sound" | "all") => void;
  /** The video element, for whom more is to be done with it. */
  video?: RefObject<HTMLVideoElement | null>;
  /** Browsers may show it in a window of its own: only a picture that may be seen as it is. */
  mayFloat?: boolean;
}

/** A live stream that fills its place. Volume, output and first frame are not attributes, so they are set by hand. */
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
    if (!element) return undefined;
    // For sound that nobody hears browsers play silence, a hundred times a second.
    element.srcObject = muted ? new MediaStream(stream.getVideoTracks()) : stream;
    let current = true;
    // A stream that was replaced while it began to play is no refusal.
    const isRefused = (error: unknown) => current && error instanceof DOMException && error.name === "NotAllowedError";
    element.play().catch((error: unknown) => {
      if (!isRefused(error)) return;
      if (element.muted) return told.current.onBlocked?.("all");
      // The picture at least.
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
      // It is seen already: whatever hears of it begins with the next frame of the page, when this one is painted.
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
    if (video.current) video.current.volume = Math.min(1, Math.max(0, volume));
  }, [volume, stream, video]);
  useEffect(() => {
    const element: (HTMLVideoElement & { setSinkId?: (id: string) => Promise<void> }) | null = video.current;
    if (!element?.setSinkId || speakerId === null) return;
    element.setSinkId(speakerId).catch((error: unknown) => console.info("speaker not taken", error));
  }, [speakerId, stream, video]);
  const { mayFloat = false } = props;
  useEffect(() => {
    // Not every browser does so by itself when the attribute comes.
    if (mayFloat || !video.current || document.pictureInPictureElement !== video.current) return;
    document.exitPictureInPicture().catch((error: unknown) => console.info("the window is gone already", error));
  }, [mayFloat, video]);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live picture of a stranger has no captions */}
      <video
        ref={video}
        className={styles.video}
        aria-label={props.label}
        data-mirrored={props.mirrored || undefined}
        data-hidden={props.hidden || undefined}
        data-clear={props.clear || undefined}
        muted={muted}
        autoPlay
        playsInline
        disablePictureInPicture={!mayFloat}
      />
      {props.blurred && !props.hidden && (
        <BlurredVideo video={video} mirrored={props.mirrored ?? false} grey={props.grey ?? false} />
      )}
    </>
  );
}
