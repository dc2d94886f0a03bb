import type { CSSProperties, ReactNode } from "react";
import { usePrices } from "#features/beans/prices.ts";
import { tenthsPerThousand } from "#features/beans/rate.ts";
import { formatBeans, formatFineMoney, formatMoney, formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { type Offer, type OfferedPack, pileOf } from "./offer.ts";
import styles from "./Shop.module.css";

const thousand = 1_000;

/** One pack: amount and price with equal weight, the time it buys, and the price of 1,000 beans. */
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
  return (
    <label className={`${styles.choice} ${styles.pack}`} data-on={props.chosen || undefined}>
      <input type="radio" name={props.name} checked={props.chosen} onChange={props.onPick} />
      <Pile beans={pack.golds} />
      <span className={styles.what}>
        <b>
          {formatBeans(pack.golds)}
          <VisuallyHidden> {t("shop.beans")}</VisuallyHidden>
        </b>
        {time !== null && <small>{time}</small>}
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

/** The position of each bean for piles of 1 to 6, in pixels of 52. */
const spots: readonly (readonly (readonly [x: number, y: number])[])[] = [
  [[15, 15]],
  [
    [6, 15],
    [23, 15],
  ],
  [
    [15, 7],
    [6, 22],
    [23, 22],
  ],
  [
    [15, 7],
    [0, 22],
    [15, 22],
    [30, 22],
  ],
  [
    [8, 7],
    [23, 7],
    [0, 22],
    [15, 22],
    [30, 22],
  ],
  [
    [15, 0],
    [8, 14],
    [23, 14],
    [0, 28],
    [15, 28],
    [30, 28],
  ],
];

/** A pile of 1 to 6 beans, larger for a larger purchase. Decorative. */
export function Pile({ beans }: { beans: number }): ReactNode {
  return (
    <span className={styles.pile} aria-hidden="true" data-pile="">
      {spots[pileOf(beans) - 1]?.map(([x, y]) => (
        <span key={`${x} ${y}`} style={{ left: x, top: y } as CSSProperties}>
          <Bean size={22} />
        </span>
      ))}
    </span>
  );
}
