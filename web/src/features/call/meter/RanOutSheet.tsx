import type { ReactNode } from "react";
import { usePrices } from "#features/beans/prices.ts";
import { useEndNotice } from "#features/call/machine/call-store.ts";
import { formatBeans, formatDuration, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Fact, Facts } from "#ui/Facts.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./CallMeter.module.css";

/** After beans or the cap ended a call: what happened, what it cost, and the two ways to continue. */
export function RanOutSheet(): ReactNode {
  const t = useT();
  const prices = usePrices();
  const ended = useEndNotice("ran-out");
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
      <Facts className={styles.facts}>
        <Fact name={t("meter.spent")}>
          {formatBeans(meter.spent)}
          <small>{prices.inMoney(meter.spent)}</small>
        </Fact>
        <Fact name={t("meter.counted")}>{formatDuration(meter.counted_ms / 1_000)}</Fact>
        <Fact name={t("ranOut.now")}>{formatBeans(meter.balance)}</Fact>
      </Facts>
    </Sheet>
  );
}
