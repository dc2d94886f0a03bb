import type { ReactNode } from "react";
import type { MatchWish } from "@fava/wire/beans.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { usePrices } from "#lib/prices.ts";
import { Bean } from "#ui/Bean.tsx";
import styles from "./PreferencesSheet.module.css";

/** One radio of the preferences, with the price that this choice alone adds: never smaller than what is charged. */
export function PreferenceRow(props: {
  name: string;
  label: string;
  hint?: string;
  icon?: ReactNode;
  checked: boolean;
  /** The wish that has only this choice in it. */
  added: MatchWish;
  onPick: () => void;
}): ReactNode {
  const t = useT();
  const prices = usePrices();
  const price = prices.of(props.added);
  return (
    <label className={styles.row} data-on={props.checked || undefined}>
      <input
        type="radio"
        name={props.name}
        checked={props.checked}
        onChange={props.onPick}
        // A press on the country that is chosen already opens its list again.
        onClick={() => props.checked && props.onPick()}
      />
      <i className={styles.dot} aria-hidden="true" />
      <span className={styles.text}>
        <b>{props.label}</b>
        {props.hint !== undefined && <small>{props.hint}</small>}
      </span>
      <span className={styles.price}>
        {price === 0 ? (
          <small>{t("price.free")}</small>
        ) : (
          <>
            <b>
              <Bean size={14} />
              {formatBeans(price)}
            </b>
            <small>{prices.inMoney(price)}</small>
          </>
        )}
      </span>
    </label>
  );
}
