import type { MatchedPush } from "@fava/wire/pushes.ts";
import {
  Ban,
  Ellipsis,
  EyeOff,
  Flag as FlagIcon,
  Maximize,
  PictureInPicture2,
  SlidersHorizontal,
  SwitchCamera,
  VolumeX,
} from "lucide-react";
import { type ReactNode, type RefObject, useState } from "react";
import { openReport } from "#features/people/person-links.ts";
import { blockPerson } from "#features/people/relation-actions.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { canFlip, flipCamera, useDevices, useLocalMedia } from "#lib/media/local-media.ts";
import { canSetVolume } from "#lib/media/volume-support.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useIsSmallWindow } from "#lib/use-media-query.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSegments, MenuSeparator } from "#ui/MenuItems.tsx";
import { useVolume } from "./remote-playback.ts";
import { setKeepBlurred, toggleVideoFit, useKeepBlurred, useVideoWhole } from "./video-shown.ts";

/** Percent; the slider of a large window has all values between. */
const volumes = [0, 25, 50, 75, 100] as const;

interface CallMenuProps {
  match: MatchedPush;
  /** The remote video while it is visible. */
  video: RefObject<HTMLVideoElement | null> | null;
}

/**
 * The "…" menu beside the name: the less frequent actions of a call. A large window shows report, block and volume
 * outside of it.
 */
export function CallMenu({ match, video }: CallMenuProps): ReactNode {
  const t = useT();
  const isSmall = useIsSmallWindow();
  const isKeptBlurred = useKeepBlurred();
  const isWhole = useVideoWhole();
  const media = useLocalMedia();
  const devices = useDevices();
  const { user_id: userId, nickname } = match.remote;
  const name = isolate(nickname);
  const label = t("msg.menu", { name });
  return (
    <Menu
      label={label}
      trigger={(trigger) => <IconButton kind="video" label={label} icon={<Ellipsis size={24} />} {...trigger} />}
    >
      {isSmall && (
        <>
          <MenuItem icon={<FlagIcon size={22} />} onSelect={() => openReport({ userId, nickname, callId: match.id })}>
            {t("people.reportName", { name })}
          </MenuItem>
          <MenuItem icon={<Ban size={22} />} onSelect={() => void blockPerson({ userId, nickname })}>
            {t("people.blockName", { name })}
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem icon={<EyeOff size={22} />} checked={isKeptBlurred} onSelect={() => setKeepBlurred(!isKeptBlurred)}>
        {t("shield.keep")}
      </MenuItem>
      <MenuItem icon={<Maximize size={22} />} checked={isWhole} onSelect={toggleVideoFit}>
        {t("call.whole")}
      </MenuItem>
      {!isSmall && video && document.pictureInPictureEnabled && (
        <MenuItem
          icon={<PictureInPicture2 size={22} className="flip" />}
          checked={document.pictureInPictureElement !== null}
          onSelect={() => void togglePictureInPicture(video.current)}
        >
          {t("call.pip")}
        </MenuItem>
      )}
      {canFlip(media, devices) && (
        <MenuItem icon={<SwitchCamera size={22} />} onSelect={() => void flipCamera()}>
          {t("call.flip")}
        </MenuItem>
      )}
      <MenuItem icon={<SlidersHorizontal size={22} />} onSelect={() => void openOverlay("devices")}>
        {t("options.title")}
      </MenuItem>
      {isSmall && <VolumeItem roomId={match.roomId} />}
    </Menu>
  );
}

async function togglePictureInPicture(video: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video?.requestPictureInPicture();
  } catch (error) {
    // The browser may refuse, as before the first frame.
    console.info("no picture-in-picture", error);
  }
}

/** Only on or off where a page cannot set the volume. */
function VolumeItem({ roomId }: { roomId: string }): ReactNode {
  const t = useT();
  const { percent, isMuted, setPercent, toggleMuted } = useVolume(roomId);
  const [hasVolume] = useState(canSetVolume);
  return hasVolume ? (
    <MenuSegments
      label={t("call.volume")}
      options={volumes.map((percent) => ({ value: String(percent), text: formatNumber(percent) }))}
      value={String(percent)}
      onChange={(chosen) => setPercent(Number(chosen))}
    />
  ) : (
    <MenuItem icon={<VolumeX size={22} />} checked={isMuted} onSelect={toggleMuted}>
      {t("call.muteSound")}
    </MenuItem>
  );
}
