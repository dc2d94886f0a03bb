import { pausedOfferMs } from "@fava/wire/limits.ts";
import { ChevronsRight, Pause } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import type { CallView } from "#features/call/machine/call-store.ts";
import { useCallRuntime } from "#features/call/machine/runtime-context.ts";
import { useAnnounced } from "#lib/announce.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { halfSecondMs, useNow } from "#lib/use-now.ts";
import { CallNotice, focusCall } from "./CallNotice.tsx";
import styles from "./Shield.module.css";

/** In the place of the remote video: why none arrives. */
export function OtherPaused({ nickname, atMs }: { nickname: string; atMs: number }): ReactNode {
  const t = useT();
  return (
    <div className={styles.centre}>
      <span className={styles.icon} aria-hidden="true">
        <Pause size={28} />
      </span>
      <h1>{t("paused.other", { name: isolate(nickname) })}</h1>
      <p>{t("paused.otherText")}</p>
      <StayOrGo key={atMs} atMs={atMs} />
    </div>
  );
}

/** Tells the user that the network paused the local video. */
export function OwnPaused({ atMs }: { atMs: number }): ReactNode {
  const t = useT();
  return (
    <CallNotice icon={Pause} title={t("paused.own")} text={[t("paused.ownText")]}>
      <StayOrGo key={atMs} atMs={atMs} />
    </CallNotice>
  );
}

/** Shown after a minute without video. */
function StayOrGo({ atMs }: { atMs: number }): ReactNode {
  const now = useNow(halfSecondMs);
  const [stays, setStays] = useState(false);
  if (stays || now - atMs < pausedOfferMs) return null;
  return <StayOrNext onStay={() => setStays(true)} />;
}

/** Both options look the same, and none is preselected. */
export function StayOrNext({ onStay }: { onStay: () => void }): ReactNode {
  const t = useT();
  const { nextCall } = useCallRuntime();
  function stay(event: MouseEvent<HTMLButtonElement>): void {
    focusCall(event);
    onStay();
  }
  return (
    <div className={styles.choice} role="group" aria-label={t("paused.ask")}>
      <button type="button" onClick={stay}>
        {t("paused.stay")}
      </button>
      <button type="button" onClick={nextCall}>
        <ChevronsRight size={20} className="flip" aria-hidden="true" />
        {t("call.next")}
      </button>
    </div>
  );
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
