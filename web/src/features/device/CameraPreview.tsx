import {
  AudioLines,
  EyeOff,
  Lamp,
  Mic,
  MicOff,
  ScanFace,
  SlidersHorizontal,
  Sun,
  SunDim,
  SwitchCamera,
  Timer,
  Video,
  VideoOff,
} from "lucide-react";
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useRef } from "react";
import { useCallState, useRenderedMedia } from "#features/call/machine/call-store.ts";
import { closeUnseen, showPreview, useCameraKept } from "#features/call/room/kept-camera.ts";
import { formatClock } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import {
  canFlip,
  flipCamera,
  isBackCamera,
  type LiveMedia,
  type LocalMedia,
  switchCamera,
  switchMicrophone,
  useDevices,
} from "#lib/media/local-media.ts";
import { useMediaOptions } from "#lib/media/media-options.ts";
import { useSoundLevel } from "#lib/media/use-sound-level.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { usePageVisible } from "#lib/use-page-visible.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { LevelMeter } from "#ui/LevelMeter.tsx";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import styles from "./CameraPreview.module.css";
import { DevicePickers } from "./DevicePickers.tsx";
import { ensureMedia, isGranted } from "./ensure-media.ts";
import { useAnnouncedSeldom, usePictureHint } from "./use-picture-hint.ts";

/** The local video before a call, with switches, level meter and devices; opened only by a press (rule HOME-7). */
export function CameraPreview(): ReactNode {
  const t = useT();
  // Deferred until after a press on Start has used the camera: if a call follows at once, it would cover this preview.
  const media = useDeferredValue(useRenderedMedia());
  const isCovered = useDeferredValue(useCallState().status !== "idle");
  const isMobile = useIsMobile();
  // Queries the permission now, so that a press on Start does not have to wait for it.
  useEffect(() => void isGranted(), []);
  useEffect(showPreview, []);
  return (
    <section className={styles.preview} aria-label={t("home.camera")}>
      {media.status === "live" && isCovered && <div className={styles.tile} />}
      {media.status === "live" && !isCovered && <LivePicture media={media} />}
      {media.status !== "live" && <NoPicture media={media} />}
      {media.status === "live" && !isCovered && !isMobile && <DevicePickers compact />}
    </section>
  );
}

function LivePicture({ media }: { media: LiveMedia }): ReactNode {
  const t = useT();
  const visible = usePageVisible();
  const { mirrorsOwn } = useMediaOptions();
  const devices = useDevices();
  const level = useSoundLevel(media.microphoneOn && visible ? media.stream : null);
  const video = useRef<HTMLVideoElement>(null);
  const isKept = useCameraKept() !== null;
  return (
    <div className={styles.tile}>
      {visible && (
        <StreamVideo
          stream={media.stream}
          muted
          mirrored={mirrorsOwn && !isBackCamera(media.stream)}
          hidden={!media.cameraOn}
          label={t("home.camera")}
          video={video}
        />
      )}
      {!media.cameraOn && (
        <div className={styles.off}>
          <OwnAvatar />
          <b>{t("home.offTitle")}</b>
          <p>{t("home.offText")}</p>
        </div>
      )}
      <div className={styles.notes}>
        <Chip tone="video">
          <EyeOff size={16} aria-hidden="true" />
          {t("home.only")}
        </Chip>
        <KeptNote />
        <Chip tone="video">
          {media.microphoneOn ? <Mic size={16} aria-hidden="true" /> : <MicOff size={16} aria-hidden="true" />}
          <LevelMeter level={level} />
        </Chip>
        {/* After a call the picture is known, and large text leaves no place beside the time. */}
        {visible && media.cameraOn && !isKept && <LiveHint video={video} />}
      </div>
      <div className={styles.buttons}>
        <IconButton
          kind="video"
          size="large"
          label={t("home.micMute")}
          aria-pressed={!media.microphoneOn}
          icon={media.microphoneOn ? <Mic size={22} /> : <MicOff size={22} />}
          onClick={() => switchMicrophone(!media.microphoneOn)}
        />
        <IconButton
          kind="video"
          size="large"
          label={t("home.camMute")}
          aria-pressed={!media.cameraOn}
          icon={media.cameraOn ? <Video size={22} /> : <VideoOff size={22} />}
          onClick={() => switchCamera(!media.cameraOn)}
        />
        {canFlip(media, devices) && (
          <IconButton
            kind="video"
            size="large"
            label={t("call.flip")}
            icon={<SwitchCamera size={22} />}
            onClick={() => void flipCamera()}
          />
        )}
        <IconButton
          kind="video"
          size="large"
          label={t("options.title")}
          aria-haspopup="dialog"
          icon={<SlidersHorizontal size={22} />}
          onClick={() => void openOverlay("devices")}
        />
      </div>
    </div>
  );
}

const hints = {
  good: { words: "camera.good", Icon: Sun },
  dark: { words: "camera.dark", Icon: Lamp },
  behind: { words: "camera.behind", Icon: SunDim },
  closer: { words: "camera.closer", Icon: ScanFace },
} as const;

/** What the video looks like to others. */
function LiveHint({ video }: { video: RefObject<HTMLVideoElement | null> }): ReactNode {
  const t = useT();
  const hint = usePictureHint(video);
  const text = hint ? t(hints[hint].words) : "";
  useAnnouncedSeldom(text);
  if (!hint) return null;
  const { Icon } = hints[hint];
  return (
    <Chip tone="video">
      <Icon size={16} aria-hidden="true" />
      {text}
    </Chip>
  );
}

/** Where the video will be: the user's avatar, with a mark that the camera is off. */
function OwnAvatar(): ReactNode {
  const user = useUser();
  return (
    <span className={styles.avatar} aria-hidden="true">
      {user && <Avatar src={user.avatar} name={user.nickname} sizePx={112} />}
      <i>
        <VideoOff size={18} />
      </i>
    </span>
  );
}

/** After End: that the camera is still on, and for how long. */
function KeptNote(): ReactNode {
  const t = useT();
  const untilMs = useCameraKept();
  const now = useNow(halfSecondMs);
  if (untilMs === null) return null;
  return (
    <Chip tone="video">
      <Timer size={16} aria-hidden="true" />
      <span role="timer">{t("home.kept", { time: formatClock(Math.max(0, untilMs - now) / 1_000) })}</span>
    </Chip>
  );
}

/** Shows a problem in the place of the video, with the one button that helps; a dialog opens only on a press. */
function NoPicture({ media }: { media: Exclude<LocalMedia, { status: "live" }> }): ReactNode {
  const t = useT();
  const failure = media.status === "failed" ? media.failure : null;
  const title =
    failure?.reason === "denied"
      ? t("home.blocked")
      : failure?.reason === "unsupported"
        ? t("unsupported.title")
        : failure?.reason === "missing"
          ? t("device.noneTitle")
          : failure?.reason === "busy"
            ? t("device.busyTitle")
            : t("home.offTitle");
  async function turnOn(): Promise<void> {
    if (failure) await openOverlay("device-tips");
    else await ensureMedia();
    // If the user has left the home screen meanwhile, the camera closes.
    closeUnseen();
  }
  return (
    <div className={styles.tile} data-off="">
      <div className={styles.off}>
        {failure ? (
          <span className={styles.icon} aria-hidden="true">
            <VideoOff size={30} />
          </span>
        ) : (
          <OwnAvatar />
        )}
        <b>{title}</b>
        {failure?.reason !== "unsupported" && (
          <p>{t(failure?.reason === "missing" ? "device.lead" : "home.offText")}</p>
        )}
        {!failure && (
          <ul className={styles.hints}>
            <li>
              <Lamp size={20} aria-hidden="true" />
              {t("camera.light")}
            </li>
            <li>
              <ScanFace size={20} aria-hidden="true" />
              {t("camera.framing")}
            </li>
            <li>
              <AudioLines size={20} aria-hidden="true" />
              {t("camera.sound")}
            </li>
          </ul>
        )}
        <Button kind="ink" size="small" pill loading={media.status === "opening"} onClick={() => void turnOn()}>
          {t(failure ? "home.showHow" : "home.turnOn")}
        </Button>
      </div>
    </div>
  );
}
