import { VideoOff } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { StreamVideo } from "#ui/StreamVideo.tsx";
import styles from "./CallScreen.module.css";

/** The own picture, mirrored as in a mirror. */
export function SelfView(): ReactNode {
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
      <span className={styles.you}>{t("call.you")}</span>
    </section>
  );
}
