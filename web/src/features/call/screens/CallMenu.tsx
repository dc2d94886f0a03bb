import { remoteVolumePercent } from "@fava/wire/limits.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import {
  Ban,
  Ellipsis,
  EyeOff,
  Flag as FlagIcon,
  Maximize,
  SlidersHorizontal,
  SwitchCamera,
  VolumeX,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { openReport } from "#features/people/person-links.ts";
import { blockPerson } from "#features/people/relation-actions.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { canFlip, flipCamera, useDevices, useLocalMedia } from "#lib/media/local-media.ts";
import { canSetVolume } from "#lib/media/volume-support.ts";
import { openOverlay } from "#lib/overlays.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSegments, MenuSeparator } from "#ui/MenuItems.tsx";
import { setKeepBlurred, toggleVideoFit, useKeepBlurred, useVideoWhole } from "./video-shown.ts";

/** Percent; the slider of a desktop has all values between. */
const volumes = [0, 25, 50, 75, 100] as const;

interface CallMenuProps {
  match: MatchedPush;
  /** 0 to 100. */
  volume: number;
  onVolume: (percent: number) => void;
}

/** The "…" menu beside the name on a phone: the less frequent actions of a call. */
export function CallMenu({ match, volume, onVolume }: CallMenuProps): ReactNode {
  const t = useT();
  const isKeptBlurred = useKeepBlurred();
  const isWhole = useVideoWhole();
  const media = useLocalMedia();
  const [hasVolume] = useState(canSetVolume);
  const devices = useDevices();
  const { user_id: userId, nickname } = match.remote;
  const name = isolate(nickname);
  const label = t("msg.menu", { name });
  return (
    <Menu
      label={label}
      trigger={(trigger) => <IconButton kind="video" label={label} icon={<Ellipsis size={24} />} {...trigger} />}
    >
      <MenuItem icon={<FlagIcon size={22} />} onSelect={() => openReport({ userId, nickname, callId: match.id })}>
        {t("people.reportName", { name })}
      </MenuItem>
      <MenuItem icon={<Ban size={22} />} onSelect={() => void blockPerson({ userId, nickname })}>
        {t("people.blockName", { name })}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<EyeOff size={22} />} checked={isKeptBlurred} onSelect={() => setKeepBlurred(!isKeptBlurred)}>
        {t("shield.keep")}
      </MenuItem>
      <MenuItem icon={<Maximize size={22} />} checked={isWhole} onSelect={toggleVideoFit}>
        {t("call.whole")}
      </MenuItem>
      {canFlip(media, devices) && (
        <MenuItem icon={<SwitchCamera size={22} />} onSelect={() => void flipCamera()}>
          {t("call.flip")}
        </MenuItem>
      )}
      <MenuItem icon={<SlidersHorizontal size={22} />} onSelect={() => void openOverlay("devices")}>
        {t("options.title")}
      </MenuItem>
      {hasVolume ? (
        <MenuSegments
          label={t("call.volume")}
          options={volumes.map((percent) => ({ value: String(percent), text: formatNumber(percent) }))}
          value={String(volume)}
          onChange={(percent) => onVolume(Number(percent))}
        />
      ) : (
        <MenuItem
          icon={<VolumeX size={22} />}
          checked={volume === 0}
          onSelect={() => onVolume(volume === 0 ? remoteVolumePercent : 0)}
        >
          {t("call.muteSound")}
        </MenuItem>
      )}
    </Menu>
  );
}
