import { Check, Globe, MapPin, Scale, Search, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { countryBalanced, countryGlobal, type MatchFilters } from "@fava/wire/beans.ts";
import { usePrices } from "#features/beans/prices.ts";
import { type ListedCountry, useCountries } from "#lib/countries.ts";
import { formatBeans } from "#lib/format.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { iconButtonClass } from "#ui/IconButton.tsx";
import { RadioCards } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { useMatchFilters } from "./match-filters.ts";
import { saveAndReport } from "./report-filters.ts";
import styles from "./PreferencesSheet.module.css";

type Region = "balanced" | "global" | "country";
/** Stands in for a country that is still to be chosen, so that the price is never smaller than the choice. */
const anyCountry = 1;
const sexes = { both: 0, women: 2, men: 1 } as const;

/** Match preferences: gender and region with what each costs; closing without Save changes nothing (rule MATCH-20). */
export function PreferencesSheet(): ReactNode {
  const t = useT();
  const saved = useMatchFilters();
  const isMobile = useIsMobile();
  const [wish, setWish] = useState<MatchFilters>(saved);
  const [region, setRegion] = useState<Region>(regionOf(saved));
  /** On a phone the list of countries is a second page. */
  const [listPage, setListPage] = useState(false);
  const complete = region !== "country" || wish.country > 0;

  function pickRegion(next: Region): void {
    setRegion(next);
    if (next === "country") setListPage(isMobile);
    else setWish({ ...wish, country: next === "global" ? countryGlobal : countryBalanced });
  }
  function pickCountry(id: number): void {
    setWish({ ...wish, country: id });
    setListPage(false);
  }
  function save(): void {
    if (!complete) return setListPage(isMobile);
    rememberCountry(wish.country);
    saveAndReport(wish);
    showToast({ text: t("pref.saved") });
    closeOverlay("preferences", "done");
  }

  const close = () => closeOverlay("preferences");
  const picker = <CountryPicker chosen={wish.country} onPick={pickCountry} />;
  if (isMobile && listPage) {
    return (
      <Sheet title={t("region.title")} onBack={() => setListPage(false)} onClose={close}>
        {picker}
      </Sheet>
    );
  }
  const wide = region === "country" && !isMobile;
  return (
    <Sheet
      widthPx={wide ? 880 : 520}
      title={t("pref.title")}
      onClose={close}
      row
      foot={
        <>
          <Total wish={region === "country" && !complete ? { ...wish, country: anyCountry } : wish} />
          <Button kind="go" aria-disabled={!complete} onClick={save}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <div className={styles.panes} data-wide={wide || undefined}>
        <div className={styles.form}>
          <Genders wish={wish} onPick={(sex) => setWish({ ...wish, sex })} />
          <Regions region={region} wish={wish} onPick={pickRegion} />
          {region === "country" && isMobile && (
            <Button kind="outline" block onClick={() => setListPage(true)}>
              {t("pref.pickCountry")}
            </Button>
          )}
        </div>
        {wide && picker}
      </div>
    </Sheet>
  );
}

function Genders({ wish, onPick }: { wish: MatchFilters; onPick: (sex: MatchFilters["sex"]) => void }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const chosen = wish.sex === 0 ? "both" : wish.sex === 2 ? "women" : "men";
  return (
    <RadioCards
      legend={t("pref.meet")}
      value={chosen}
      options={[
        { value: "both", label: t("pref.both"), trailing: <Price beans={0} /> },
        { value: "women", label: t("pref.women"), trailing: <Price beans={prices.gender} /> },
        { value: "men", label: t("pref.men"), trailing: <Price beans={prices.gender} /> },
      ]}
      onChange={(value: keyof typeof sexes) => onPick(sexes[value])}
    />
  );
}

function Regions(props: { region: Region; wish: MatchFilters; onPick: (region: Region) => void }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const country = useCountries().find((candidate) => candidate.id === props.wish.country);
  return (
    <RadioCards
      legend={t("pref.from")}
      value={props.region}
      options={[
        {
          value: "balanced",
          label: t("pref.balanced"),
          hint: t("pref.balancedHint"),
          icon: <Scale size={20} aria-hidden="true" />,
          trailing: <Price beans={0} />,
        },
        {
          value: "global",
          label: t("pref.global"),
          hint: t("pref.globalHint"),
          icon: <Globe size={20} aria-hidden="true" />,
          trailing: <Price beans={0} />,
        },
        {
          value: "country",
          label: country?.languageText ?? t("pref.country"),
          hint: country ? t("pref.country") : t("pref.countryHint"),
          icon: <MapPin size={20} aria-hidden="true" />,
          trailing: <Price beans={prices.country} />,
        },
      ]}
      onChange={props.onPick}
    />
  );
}

/** What one choice adds a minute: never smaller than what is charged for it. */
function Price({ beans }: { beans: number }): ReactNode {
  const t = useT();
  const prices = usePrices();
  if (beans === 0) return <small className={styles.free}>{t("price.free")}</small>;
  return (
    <span className={styles.price}>
      <b>
        <Bean size={14} />
        {formatBeans(beans)}
      </b>
      <small>{prices.inMoney(beans)}</small>
    </span>
  );
}

/** What the whole choice costs a minute, in beans and in money. */
function Total({ wish }: { wish: MatchFilters }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const price = prices.of(wish);
  const cheaper = wish.sex !== 0 && wish.country > 0 && prices.both < prices.gender + prices.country;
  return (
    <p className={styles.total} aria-live="polite">
      <small>{t("price.perMinute")}</small>
      {price === 0 ? (
        <b>{t("price.none")}</b>
      ) : (
        <span>
          <Bean size={18} />
          <b>{formatBeans(price)}</b>
          <small>{t("price.about", { money: prices.inMoney(price) })}</small>
        </span>
      )}
      {cheaper && <small>{t("pref.together")}</small>}
    </p>
  );
}

function regionOf(wish: MatchFilters): Region {
  if (wish.country === countryGlobal) return "global";
  return wish.country === countryBalanced ? "balanced" : "country";
}

/** A list of countries to choose one from, with a search that ignores accents and case. */
function CountryPicker({ chosen, onPick }: { chosen: number; onPick: (id: number) => void }): ReactNode {
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
          <button
            type="button"
            className={iconButtonClass("plain")}
            aria-label={t("region.clear")}
            onClick={() => setSearch("")}
          >
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

const recentMax = 3;
let recent: readonly number[] = [];

/** Countries chosen on this page, newest first. Kept in memory only: the specification names no place for them. */
export function recentCountries(): readonly number[] {
  return recent;
}

export function rememberCountry(id: number): void {
  if (id > 0) recent = [id, ...recent.filter((other) => other !== id)].slice(0, recentMax);
}
