import { pausedOfferMs } from "@fava/wire/limits.ts";
import { Pause } from "lucide-react";
import type { ReactNode } from "react";
import type { CallView } from "#features/call/machine/call-store.ts";
import { useAnnounced } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { classNames } from "#ui/class-names.ts";
import { CallNotice } from "./CallNotice.tsx";
import styles from "./Shield.module.css";

/** In the place of the remote video: why none arrives. */
export function OtherPaused({ nickname, atMs }: { nickname: string; atMs: number }): ReactNode {
  const t = useT();
  const isLong = useLong(atMs);
  return (
    <div className={classNames(styles.centre, styles.paused)}>
      <span className={styles.icon} aria-hidden="true">
        <Pause size={28} />
      </span>
      <h1>{t("paused.other", { name: isolate(nickname) })}</h1>
      <p>{t("paused.otherText")}</p>
      {isLong && <p>{t("paused.ask")}</p>}
    </div>
  );
}

/** Tells the user that the network paused the local video. */
export function OwnPaused({ atMs }: { atMs: number }): ReactNode {
  const t = useT();
  const isLong = useLong(atMs);
  return (
    <CallNotice
      icon={Pause}
      title={t("paused.own")}
      text={[t("paused.ownText"), ...(isLong ? [t("paused.ask")] : [])]}
    />
  );
}

/** Whether the video has been paused for a minute: the user then reads that Next may be the better choice. */
function useLong(atMs: number): boolean {
  return useNow(halfSecondMs) - atMs >= pausedOfferMs;
}

/** Announces once, politely, that a video is paused. */
export function PausedAnnouncer({ call, other, ownPausedAtMs }: CallView): null {
  const t = useT();
  const isInCall = call.status === "in-call";
  const name = isInCall ? isolate(call.match.remote.nickname) : "";
  useAnnounced(isInCall && other.pausedAtMs !== null ? `${t("paused.other", { name })}. ${t("paused.otherText")}` : "");
  useAnnounced(isInCall && ownPausedAtMs !== null ? `${t("paused.own")}. ${t("paused.ownText")}` : "");
  return null;
}
