import { type ReactNode, useId } from "react";
import { exactBeansMax, exactBeansMin } from "@fava/wire/limits.ts";
import { formatBeans, formatMoney } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Bean } from "#ui/Bean.tsx";
import { exactBeans, isOutOfRange, typedBeans } from "./exact-amount.ts";
import { type Offer, purchaseOfBeans } from "./offer.ts";
import styles from "./ExactAmount.module.css";

const exampleBeans = 3_200;

/** Exactly as many beans as somebody wants; the price follows while typing (rule BEANS-12). */
export function ExactAmount(props: { offer: Offer; digits: string; onChange: (digits: string) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const { offer, digits } = props;
  const beans = exactBeans(digits);
  const purchase = beans === null ? undefined : purchaseOfBeans(offer, beans);
  const wrong = isOutOfRange(digits);
  return (
    <div className={styles.exact}>
      <label htmlFor={id}>
        {t("shop.exact")}
        <small id={`${id}-range`} data-wrong={wrong || undefined}>
          {t("shop.exactRange", { min: formatBeans(exactBeansMin), max: formatBeans(exactBeansMax) })}
        </small>
      </label>
      <span className={styles.amount}>
        <Bean size={18} />
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          value={digits}
          placeholder={formatBeans(exampleBeans)}
          aria-describedby={`${id}-range`}
          aria-invalid={wrong || undefined}
          onChange={(event) => props.onChange(typedBeans(event.target.value))}
        />
      </span>
      <output htmlFor={id} data-none={purchase === undefined || undefined}>
        {purchase ? formatMoney(purchase.priceMinor, purchase.currencyCode) : "–"}
      </output>
    </div>
  );
}
