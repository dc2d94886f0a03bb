import { Check, Search, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { type ListedCountry, useCountries } from "#lib/countries.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import { Flag } from "#ui/Flag.tsx";
import { recentCountries } from "./recent-countries.ts";
import styles from "./CountryPicker.module.css";

/** A list of countries to choose one from, with a search that ignores accents and case. */
export function CountryPicker({ chosen, onPick }: { chosen: number; onPick: (id: number) => void }): ReactNode {
  const t = useT();
  const countries = useCountries();
  const [search, setSearch] = useState("");
  const listId = useId();
  const found = countries.filter((country) => matches(country.languageText, search));
  const recent = search === "" ? countries.filter((country) => recentCountries().includes(country.id)) : [];
  const others = found.filter((country) => !recent.includes(country));
  return (
    <div className={styles.picker}>
      <div className={styles.search}>
        <Search size={20} aria-hidden="true" />
        <input
          type="search"
          value={search}
          placeholder={t("region.search")}
          aria-label={t("region.search")}
          aria-controls={listId}
          onChange={(event) => setSearch(event.target.value)}
        />
        {search !== "" && (
          <button type="button" aria-label={t("region.clear")} onClick={() => setSearch("")}>
            <X size={18} aria-hidden="true" />
          </button>
        )}
      </div>
      <div className={styles.list} id={listId} role="radiogroup" aria-label={t("region.title")}>
        {recent.length > 0 && <p className={styles.heading}>{t("region.recent")}</p>}
        {recent.map((country) => (
          <Place key={country.id} country={country} chosen={chosen === country.id} onPick={onPick} />
        ))}
        {recent.length > 0 && <p className={styles.heading}>{t("region.all")}</p>}
        {others.map((country) => (
          <Place key={country.id} country={country} chosen={chosen === country.id} onPick={onPick} />
        ))}
        {countries.length > 0 && found.length === 0 && (
          <div className={styles.none} role="status">
            <Search size={28} aria-hidden="true" />
            <b>{t("region.none")}</b>
            <p>{t("region.noneText")}</p>
          </div>
        )}
      </div>
    </div>
  );
}

function Place(props: { country: ListedCountry; chosen: boolean; onPick: (id: number) => void }): ReactNode {
  const { country, chosen } = props;
  return (
    <label className={styles.place} data-on={chosen || undefined}>
      <input type="radio" name="country" checked={chosen} onChange={() => props.onPick(country.id)} />
      <Flag src={country.flag} widthPx={27} />
      <span>{country.languageText}</span>
      {chosen && <Check size={20} aria-hidden="true" />}
    </label>
  );
}

function matches(name: string, search: string): boolean {
  return fold(name).includes(fold(search.trim()));
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase(currentLanguage());
}
