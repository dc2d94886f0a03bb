import { type ReactNode, useState } from "react";
import { formatBeans, formatDuration, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { usePrices } from "#lib/prices.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { callStore } from "./call-store.ts";
import type { RanOut } from "./call-state.ts";
import styles from "./Meter.module.css";

/** A call that beans or cap have ended: what happened, what it cost, and both ways on (rule BEANS-358). */
export function RanOutSheet(): ReactNode {
  const t = useT();
  const prices = usePrices();
  // The next search forgets the notice while this slides away.
  const [ended] = useState(lastNotice);
  if (!ended) return null;
  const { meter, nickname } = ended;
  function more(): void {
    void openOverlay(meter.limit === "cap" ? "cap" : "shop");
    closeOverlay("ran-out");
  }
  return (
    <Sheet
      widthPx={480}
      art={<Bean size={44} />}
      title={t(`ranOut.title.${meter.limit}`)}
      lead={t(`ranOut.text.${meter.limit}`, { name: isolate(nickname) })}
      onClose={() => closeOverlay("ran-out")}
      foot={
        <>
          <Button kind="outline" onClick={() => closeOverlay("ran-out", "done")}>
            {t("ranOut.free")}
          </Button>
          <Button kind="outline" onClick={more}>
            {t(meter.limit === "cap" ? "meter.changeCap" : "low.topUp")}
          </Button>
        </>
      }
    >
      <dl className={styles.facts}>
        <div>
          <dt>{t("meter.spent")}</dt>
          <dd>
            {formatBeans(meter.spent)}
            <small>{prices.inMoney(meter.spent)}</small>
          </dd>
        </div>
        <div>
          <dt>{t("meter.counted")}</dt>
          <dd>{formatDuration(meter.counted_ms / 1_000)}</dd>
        </div>
        <div>
          <dt>{t("ranOut.now")}</dt>
          <dd>{formatBeans(meter.balance)}</dd>
        </div>
      </dl>
    </Sheet>
  );
}

function lastNotice(): RanOut | null {
  const { call } = callStore.getState();
  const notice = call.status === "idle" ? call.notice : null;
  return typeof notice === "object" && notice?.why === "ran-out" ? notice : null;
}
