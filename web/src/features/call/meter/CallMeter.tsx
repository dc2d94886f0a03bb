import { ChevronDown, Pause } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { usePrices } from "#features/beans/prices.ts";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import styles from "./CallMeter.module.css";
import { setMeterOpen, useMeterOpen } from "./meter-panel.ts";
import { meterStopReason } from "./meter-shown.ts";

const MeterPanel = lazyWithTimeout(() => import("./MeterPanel.tsx").then((part) => part.MeterPanel));

/** Beans and money per minute of a paid call; opens the full costs. */
export function CallMeter({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const open = useMeterOpen();
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => () => setMeterOpen(false), []);
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus();
    wasOpen.current = open;
  }, [open]);
  const { price } = room.match.remote;
  const [beans, money] = [formatBeans(price), prices.inMoney(price)];
  const stop = meterStopReason(room);
  const stopped = stop !== null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.pill}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-label={t("meter.pillLabel", { beans, money })}
        onClick={() => setMeterOpen(!open)}
      >
        {stopped ? <Pause size={16} aria-hidden="true" /> : <Bean size={16} />}
        {stop === "blurred" ? (
          <span>{t("meter.paused")}</span>
        ) : (
          <>
            <span>{t("meter.pill", { beans })}</span>
            <small>{stopped ? t("meter.stopped") : money}</small>
          </>
        )}
        <ChevronDown size={16} aria-hidden="true" />
      </button>
      {open && (
        <PartBoundary onMissing={() => setMeterOpen(false)}>
          <Suspense fallback={null}>
            <MeterPanel room={room} />
          </Suspense>
        </PartBoundary>
      )}
    </>
  );
}
