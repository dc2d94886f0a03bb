import { EyeOff, VideoOff } from "lucide-react";
import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import { MoveHandle } from "./MoveHandle.tsx";
import styles from "./SelfView.module.css";

/** The own picture, mirrored as in a mirror; darkened while the other person is not shown it (rule SAFE-206). */
export function SelfView({ hiddenFrom }: { hiddenFrom: string | null }): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  return (
    <section className={styles.self} aria-label={t("call.you")}>
      {media.status === "live" && (
        <StreamVideo stream={media.stream} muted mirrored hidden={!media.cameraOn} label={t("call.you")} />
      )}
      {media.status === "live" && !media.cameraOn && (
        <span className={styles.selfOff}>
          <VideoOff size={28} aria-hidden="true" />
          <span>{t("home.offTitle")}</span>
        </span>
      )}
      {hiddenFrom !== null && (
        <span className={styles.selfHidden}>
          <span>
            <EyeOff size={18} aria-hidden="true" />
            <span>{t("shield.hiddenFrom", { name: isolate(hiddenFrom) })}</span>
          </span>
        </span>
      )}
      <MoveHandle />
      <span className={styles.you}>{t("call.you")}</span>
    </section>
  );
}
