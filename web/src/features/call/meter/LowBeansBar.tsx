import { X } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import type { CallState, InRoom } from "#features/call/machine/call-state.ts";
import { useAnnounced } from "#lib/announce.ts";
import { formatClock, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay, useOverlays } from "#lib/overlays.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Bean } from "#ui/Bean.tsx";
import styles from "./LowBeansBar.module.css";
import type { MeterReading } from "./meter-clock.ts";
import { secondsLeft, spokenSeconds, useReading } from "./meter-shown.ts";

/**
 * "Video ends in 24 seconds unless you top up": the countdown of a call whose next minute is not covered, in one line
 * above the controls.
 */
export function LowBeansBar({ room }: { room: InRoom }): ReactNode {
  const [accepted, setAccepted] = useState(false);
  return room.low === "told" && <Bar room={room} accepted={accepted} onAccept={() => setAccepted(true)} />;
}

interface BarProps {
  room: InRoom;
  /** The user lets the call end. */
  accepted: boolean;
  onAccept: () => void;
}

function Bar({ room, accepted, onAccept }: BarProps): ReactNode {
  const t = useT();
  const reading = useReading(room);
  // The top-up dialog shows the rest; on a phone it shows the countdown as well.
  const isMobile = useIsMobile();
  const isToppingUp = useOverlays().some(({ name, open }) => name === "top-up" && open);
  const isShort = accepted || isToppingUp;
  if (!reading || (isToppingUp && isMobile)) return null;
  const seconds = secondsLeft(reading);
  function letEnd({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
    // The pressed button disappears, which would leave the focus on the page below the call.
    currentTarget.closest("main")?.focus({ preventScroll: true });
    onAccept();
  }
  return (
    <div className={styles.bar}>
      <Bean size={22} />
      <p>
        <b className={styles.whole}>{t(endsKey(reading), { n: seconds, count: formatNumber(seconds) })}</b>
        <b className={styles.short}>{t("low.left", { time: formatClock(seconds) })}</b>
      </p>
      {!isShort && (
        <div className={styles.buttons}>
          {reading.limit === "balance" && (
            <button type="button" data-strong onClick={() => void openOverlay("top-up")}>
              {t("low.topUp")}
            </button>
          )}
          <button type="button" aria-label={t("low.letEnd")} title={t("low.letEnd")} onClick={letEnd}>
            <span className={styles.whole}>{t("low.letEnd")}</span>
            <X className={styles.short} size={22} aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}

/** Announces the countdown when it starts and when ten seconds are left. */
export function LowBeansAnnouncer({ call }: { call: CallState }): ReactNode {
  const told = (call.status === "connecting" || call.status === "in-call") && call.low === "told";
  return told && <Announcer key={call.match.roomId} room={call} />;
}

function Announcer({ room }: { room: InRoom }): ReactNode {
  const reading = useReading(room);
  return reading && <Countdown reading={reading} />;
}

function Countdown({ reading }: { reading: MeterReading }): null {
  const t = useT();
  const now = secondsLeft(reading);
  const [first] = useState(now);
  const n = spokenSeconds(first, now);
  useAnnounced(t(endsKey(reading), { n, count: formatNumber(n) }));
  return null;
}

function endsKey({ limit }: MeterReading): "low.ends" | "low.endsByCap" {
  return limit === "cap" ? "low.endsByCap" : "low.ends";
}
