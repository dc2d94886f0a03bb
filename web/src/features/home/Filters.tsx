import { ChevronDown, Globe, Scale } from "lucide-react";
import type { ReactNode } from "react";
import { countryBalanced, countryGlobal, type WishedSex } from "@fava/wire/beans.ts";
import { useCountries } from "#lib/countries.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { usePrices } from "#lib/prices.ts";
import { useWish } from "#lib/wish.ts";
import { Bean } from "#ui/Bean.tsx";
import { Flag } from "#ui/Flag.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import styles from "./Filters.module.css";

const sexes = { both: 0, women: 2, men: 1 } as const satisfies Record<string, WishedSex>;

/** Whom to meet and from where, each with what it costs a minute (rule HOME-2). */
export function Filters({ onSex }: { onSex: (sex: WishedSex) => void }): ReactNode {
  const t = useT();
  const wish = useWish();
  const prices = usePrices();
  const chosen = wish.sex === 0 ? "both" : wish.sex === 2 ? "women" : "men";
  return (
    <>
      <Segmented
        legend={t("pref.meet")}
        value={chosen}
        options={[
          { value: "both", label: t("pref.both"), hint: t("price.free") },
          { value: "women", label: t("pref.women"), hint: <BeanPrice beans={prices.gender} /> },
          { value: "men", label: t("pref.men"), hint: <BeanPrice beans={prices.gender} /> },
        ]}
        onChange={(value: keyof typeof sexes) => onSex(sexes[value])}
      />
      <RegionButton country={wish.country} price={prices.country} />
    </>
  );
}

function RegionButton({ country, price }: { country: number; price: number }): ReactNode {
  const t = useT();
  const listed = useCountries().find((candidate) => candidate.id === country);
  const [label, hint] =
    country === countryBalanced
      ? [t("pref.balanced"), t("pref.balancedHint")]
      : country === countryGlobal
        ? [t("pref.global"), t("pref.globalHint")]
        : [listed?.languageText ?? t("pref.country"), t("pref.country")];
  return (
    <div className={styles.field}>
      <span className={styles.label} id="home-region">
        {t("pref.from")}
      </span>
      <button
        type="button"
        className={styles.region}
        aria-labelledby="home-region home-region-value"
        aria-haspopup="dialog"
        onClick={() => void openOverlay("preferences")}
      >
        {listed ? (
          <Flag src={listed.flag} widthPx={27} />
        ) : country === countryGlobal ? (
          <Globe size={20} aria-hidden="true" />
        ) : (
          <Scale size={20} aria-hidden="true" />
        )}
        <span id="home-region-value">
          <b>{label}</b>
          <small>{hint}</small>
        </span>
        <small className={styles.added} data-free={country <= 0 || undefined}>
          {country > 0 ? <BeanPrice beans={price} /> : t("price.free")}
        </small>
        <ChevronDown size={20} aria-hidden="true" />
      </button>
    </div>
  );
}

function BeanPrice({ beans }: { beans: number }): ReactNode {
  return (
    <span className={styles.beans}>
      <Bean size={14} />
      {formatBeans(beans)}
    </span>
  );
}
