import { Pause, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useCapChoices } from "#features/beans/cap-change.ts";
import { usePrices } from "#features/beans/prices.ts";
import { refreshWallet, useWallet } from "#features/beans/wallet.ts";
import type { InRoom } from "#features/call/machine/call-state.ts";
import { formatBeans, formatDuration } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { BeanGauge } from "#ui/BeanGauge.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { QuickChoices } from "#ui/QuickChoices.tsx";
import styles from "./CallMeter.module.css";
import type { MeterReading } from "./meter-clock.ts";
import { setMeterOpen } from "./meter-panel.ts";
import { secondsLeft, meterStopReason, useReading } from "./meter-shown.ts";

/**
 * The costs of the call, time left first. A dialog without a focus trap: the keys of the call keep working, and Escape
 * closes it before it ends the call.
 */
export function MeterPanel({ room }: { room: InRoom }): ReactNode {
  const t = useT();
  const reading = useReading(room);
  const stop = meterStopReason(room);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className={styles.panel} role="dialog" aria-labelledby={titleId}>
      <h2 ref={title} id={titleId} tabIndex={-1}>
        {t(reading ? "meter.title" : "meter.name")}
      </h2>
      <span className={styles.close}>
        <IconButton label={t("common.close")} icon={<X size={20} />} onClick={() => setMeterOpen(false)} />
      </span>
      {reading && (
        <>
          <p className={styles.left}>{formatDuration(secondsLeft(reading))}</p>
          <p className={styles.why}>{t(`meter.limit.${reading.limit}`)}</p>
        </>
      )}
      <p className={styles.stop} role="status">
        {stop && (
          <>
            <Pause size={18} aria-hidden="true" />
            {t(`meter.stop.${stop}`)}
          </>
        )}
      </p>
      <MeterFacts price={room.match.remote.price} reading={reading} />
      <Today wordAtMs={room.meter?.atMs ?? 0} />
    </section>
  );
}

function MeterFacts({ price, reading }: { price: number; reading: MeterReading | null }): ReactNode {
  const t = useT();
  const prices = usePrices();
  return (
    <Facts className={styles.facts}>
      <Fact name={t("meter.price")}>
        <Bean size={16} /> {t("meter.aMinute", { beans: formatBeans(price) })}
        <small>{prices.inMoney(price)}</small>
      </Fact>
      {reading && (
        <>
          <Fact name={t("meter.spent")}>
            <Bean size={16} /> {formatBeans(reading.spent)}
            <small>{prices.inMoney(reading.spent)}</small>
          </Fact>
          <Fact name={t("meter.counted")}>
            {formatDuration(reading.countedMs / 1_000)}
            <FreeTime reading={reading} />
          </Fact>
        </>
      )}
    </Facts>
  );
}

function FreeTime({ reading }: { reading: MeterReading }): ReactNode {
  const t = useT();
  const { freeLeftMs, freeMs } = reading;
  if (freeLeftMs > 0)
    return <small>{t("meter.freeLeft", { time: formatDuration(Math.ceil(freeLeftMs / 1_000)) })}</small>;
  return freeMs >= 1_000 && <small>{t("meter.freeWere", { time: formatDuration(freeMs / 1_000) })}</small>;
}

/** How much of the daily cap is used, including the running minute. */
function Today({ wordAtMs }: { wordAtMs: number }): ReactNode {
  const t = useT();
  const cap = useWallet()?.cap;
  const caps = useCapChoices();
  // A new meter of the server means that the day's spending has changed, too.
  useEffect(refreshWallet, [wordAtMs]);
  if (!cap) return null;
  const { beans, spent_today: spent } = cap;
  return (
    <div className={styles.today}>
      <p>
        {beans === null
          ? t("meter.todayNoCap", { spent: formatBeans(spent) })
          : t("meter.today", { spent: formatBeans(spent), cap: formatBeans(beans) })}
        <button type="button" onClick={() => void openOverlay("cap")}>
          {t(beans === null ? "meter.setCap" : "meter.changeCap")}
        </button>
      </p>
      {caps.length > 0 && <QuickChoices title={t("cap.never")} choices={caps} />}
      {beans !== null && <BeanGauge label={t("meter.spentToday")} used={spent} of={beans} />}
    </div>
  );
}
