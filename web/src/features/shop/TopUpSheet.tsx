import type { PayType } from "@fava/wire/gateway.ts";
import { exactBeansMin } from "@fava/wire/limits.ts";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { usePrices } from "#features/beans/prices.ts";
import { useBalance, useRunningMeter } from "#features/call/meter/running-meter.ts";
import { useMatchFilters } from "#features/match/match-filters.ts";
import { formatBeans, formatMoney, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Methods } from "./Methods.tsx";
import { OfferTrouble, PackSkeletons } from "./OfferTrouble.tsx";
import { PackOption } from "./PackOption.tsx";
import styles from "./Shop.module.css";
import { largestPacks, type Offer, type OfferedPack, purchaseOfBeans, purchaseOfPack } from "./offer.ts";
import { payments } from "./payment.ts";
import { useOffer } from "./use-offer.ts";

const beside = { height: "fit-content", marginBlock: "auto" } as const;

/**
 * The low-beans dialog: the two largest packs and "all packs" with the same weight, and the payment methods; nothing is
 * preselected. It opens beside a call, which continues.
 */
export function TopUpSheet(): ReactNode {
  const t = useT();
  const { state, retry } = useOffer();
  const isMobile = useIsMobile();
  const [pack, setPack] = useState<OfferedPack | null>(null);
  const [method, setMethod] = useState<PayType | null>(null);
  const offer = state.name === "ready" ? state.offer : null;

  function proceed(): void {
    if (!offer || !pack || !method) return;
    payments.dispatch({ type: "chosen", purchase: purchaseOfPack(offer, pack), methods: offer.methods, method });
    payments.pay();
    void openOverlay("payment");
    closeOverlay("top-up", "done");
  }
  return (
    <Sheet
      theme="dark"
      direction="end"
      style={beside}
      widthPx={500}
      title={t("topUp.title")}
      eyebrow={isMobile && <TimeLeft />}
      lead={<Lead />}
      onClose={() => closeOverlay("top-up")}
      row
      foot={
        <>
          <Button onClick={() => closeOverlay("top-up")}>{t("topUp.end")}</Button>
          <Button kind="ink" disabled={!pack || !method} onClick={proceed}>
            {t("shop.continue")}
          </Button>
        </>
      }
    >
      {state.name === "loading" && <PackSkeletons count={3} />}
      {(state.name === "empty" || state.name === "failed") && <OfferTrouble kind={state.name} onRetry={retry} />}
      {offer && (
        <>
          <TwoPacks offer={offer} chosen={pack} onPick={setPack} />
          <Methods compact methods={offer.methods} method={method} onPick={setMethod} />
        </>
      )}
    </Sheet>
  );
}

function Lead(): ReactNode {
  const t = useT();
  const balance = useBalance();
  const wished = usePrices().of(useMatchFilters());
  const price = useRunningMeter()?.price ?? wished;
  return t("topUp.text", { count: formatBeans(balance), price: formatBeans(price) });
}

/** The countdown of the call below; its own screen announces it. */
function TimeLeft(): ReactNode {
  const t = useT();
  const seconds = useRunningMeter()?.secondsLeft;
  if (seconds === undefined) return null;
  return <p className={styles.left}>{t("low.ends", { n: seconds, count: formatNumber(seconds) })}</p>;
}

function TwoPacks(props: { offer: Offer; chosen: OfferedPack | null; onPick: (pack: OfferedPack) => void }): ReactNode {
  const t = useT();
  const name = useId();
  const { offer } = props;
  const isPaid = usePrices().gender > 0;
  const least = purchaseOfBeans(offer, exactBeansMin);
  function showAll(): void {
    void openOverlay("shop");
    closeOverlay("top-up");
  }
  return (
    <fieldset className={styles.packs} data-single>
      <legend className="visually-hidden">{t("shop.packs")}</legend>
      <button type="button" className={styles.pack} data-all onClick={showAll}>
        <span className={styles.what}>
          <b>{t("topUp.all")}</b>
          {least && <small>{t("topUp.allHint", { money: formatMoney(least.priceMinor, least.currencyCode) })}</small>}
        </span>
        <ChevronRight size={20} className="flip" aria-hidden="true" />
      </button>
      {isPaid && <small>{t("shop.times")}</small>}
      {largestPacks(offer).map((pack) => (
        <PackOption
          key={pack.id}
          offer={offer}
          pack={pack}
          name={name}
          chosen={props.chosen?.id === pack.id}
          onPick={() => props.onPick(pack)}
        />
      ))}
    </fieldset>
  );
}
