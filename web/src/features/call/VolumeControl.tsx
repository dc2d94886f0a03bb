import { Volume2, VolumeX } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "./CallStage.module.css";

/** Volume of the other person, 0 to 100. */
export function VolumeControl({
  percent,
  onChange,
}: {
  percent: number;
  onChange: (percent: number) => void;
}): ReactNode {
  const t = useT();
  return (
    <label className={styles.volume} data-fades>
      {percent === 0 ? <VolumeX size={20} aria-hidden="true" /> : <Volume2 size={20} aria-hidden="true" />}
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label={t("call.volume")}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </label>
  );
}
