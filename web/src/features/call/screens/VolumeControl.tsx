import { Volume2, VolumeX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { canSetVolume } from "#lib/media/volume-support.ts";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./CallScreen.module.css";
import { useVolume } from "./remote-playback.ts";

/** The volume of the remote sound, 0 to 100; only on or off where a page cannot set it. */
export function VolumeControl({ roomId }: { roomId: string }): ReactNode {
  const t = useT();
  const { percent, isMuted, setPercent, toggleMuted } = useVolume(roomId);
  const [hasVolume] = useState(canSetVolume);
  const Icon = isMuted ? VolumeX : Volume2;
  if (!hasVolume) {
    return (
      <div className={styles.volume} data-fades>
        <IconButton
          label={t("call.muteSound")}
          aria-pressed={isMuted}
          icon={<Icon size={22} />}
          onClick={toggleMuted}
        />
      </div>
    );
  }
  return (
    <label className={styles.volume} data-fades>
      <Icon size={22} aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label={t("call.volume")}
        onChange={(event) => setPercent(event.target.valueAsNumber)}
      />
    </label>
  );
}
