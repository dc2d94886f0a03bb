import type { ReactNode } from "react";
import { usePrices } from "#features/beans/prices.ts";
import { tenthsPerThousand } from "#features/beans/rate.ts";
import { formatBeans, formatFineMoney, formatMoney, formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { BeanHeap } from "#ui/BeanHeap.tsx";
import { type Offer, type OfferedPack, heapOf } from "./offer.ts";
import styles from "./Shop.module.css";

const thousand = 1_000;

/** One pack: the time it buys and its price with equal weight, its beans, and the price of 1,000 beans. */
export function PackOption(props: {
  offer: Offer;
  pack: OfferedPack;
  /** The name of the radio group. */
  name: string;
  chosen: boolean;
  onPick: () => void;
}): ReactNode {
  const t = useT();
  const { offer, pack } = props;
  const time = useTimeOf(pack.golds);
  const beans = t("home.beans", { n: pack.golds, count: formatBeans(pack.golds) });
  return (
    <label className={`${styles.choice} ${styles.pack}`} data-on={props.chosen || undefined}>
      <input type="radio" name={props.name} checked={props.chosen} onChange={props.onPick} />
      <BeanHeap size={heapOf(pack.golds)} />
      <span className={styles.what}>
        <b>{time ?? beans}</b>
        {time !== null && <small> {beans}</small>}
      </span>
      <span className={styles.price}>
        <b translate="no">{formatMoney(pack.price_minor, offer.currencyCode)}</b>
        <small>
          <bdi dir="ltr" translate="no">
            {formatFineMoney(tenthsPerThousand(pack), offer.currencyCode)} / {formatBeans(thousand)}
          </bdi>
        </small>
      </span>
    </label>
  );
}

/** How long beans last with the gender filter; null if that is free. */
export function useTimeOf(beans: number): string | null {
  const price = usePrices().gender;
  return price > 0 ? formatSpan((beans * 60) / price) : null;
}
