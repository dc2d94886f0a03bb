import type { ReactNode } from "react";
import { formatBeans, formatFineMoney, formatMoney, formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { usePrices } from "#lib/prices.ts";
import { tenthsPerThousand } from "#lib/rate.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { type Offer, type Pack, pileOf } from "./offer.ts";
import { Pile } from "./Pile.tsx";
import choiceStyles from "./Choice.module.css";
import styles from "./Packs.module.css";

const thousand = 1_000;

/** One pack: amount and price with equal weight, what it buys in time, and the price of 1,000 beans (rule BEANS-303). */
export function PackOption(props: {
  offer: Offer;
  pack: Pack;
  /** Of the radio group. */
  name: string;
  chosen: boolean;
  onPick: () => void;
}): ReactNode {
  const t = useT();
  const { offer, pack } = props;
  const time = useTimeOf(pack.golds);
  return (
    <label className={`${choiceStyles.choice} ${styles.pack}`} data-on={props.chosen || undefined}>
      <input type="radio" name={props.name} checked={props.chosen} onChange={props.onPick} />
      <Pile count={pileOf(offer, pack)} />
      <span className={styles.what}>
        <b>
          {formatBeans(pack.golds)}
          <VisuallyHidden> {t("shop.beans")}</VisuallyHidden>
        </b>
        {time !== null && <small>{time}</small>}
      </span>
      <span className={styles.price}>
        <b>{formatMoney(pack.price_minor, offer.currencyCode)}</b>
        <small>
          <bdi dir="ltr">
            {formatFineMoney(tenthsPerThousand(pack), offer.currencyCode)} / {formatBeans(thousand)}
          </bdi>
        </small>
      </span>
    </label>
  );
}

/** How long beans last with the gender filter; null where it costs nothing. */
export function useTimeOf(beans: number): string | null {
  const price = usePrices().gender;
  return price > 0 ? formatSpan((beans * 60) / price) : null;
}
