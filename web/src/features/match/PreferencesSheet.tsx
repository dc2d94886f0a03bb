import { Check, Globe, MapPin, MapPinOff, Navigation, Search, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { countryBalanced, countryGlobal, type MatchFilters } from "@fava/wire/beans.ts";
import { usePrices } from "#features/beans/prices.ts";
import { useTalkEdit } from "#features/profile/use-talk-edit.ts";
import { type ListedCountry, useCountries } from "#lib/countries.ts";
import { formatBeans } from "#lib/format.ts";
import { currentLanguage, useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { iconButtonClass } from "#ui/IconButton.tsx";
import { RadioCards, Segmented } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { ExcludedCountries, ExcludedSaveBar } from "./ExcludedCountries.tsx";
import { useMatchFilters } from "./match-filters.ts";
import { saveAndReport } from "./report-filters.ts";
import styles from "./PreferencesSheet.module.css";

type Region = "balanced" | "global" | "country";
/**
 * A placeholder country until the user has chosen one, so that the dialog already shows the price of a country filter.
 */
const anyCountry = 1;
const sexes = { both: 0, women: 2, men: 1 } as const;

/** Match preferences: gender and region with their prices; closing without Save changes nothing. */
export function PreferencesSheet(): ReactNode {
  const t = useT();
  const saved = useMatchFilters();
  const isMobile = useIsMobile();
  const [wish, setWish] = useState<MatchFilters>(saved);
  const [region, setRegion] = useState<Region>(regionOf(saved));
  /** On a phone the list of countries is a second page; the list of excluded ones is always one. */
  const [shown, setShown] = useState<"filters" | "countries" | "left-out">("filters");
  const user = useUser();
  const talk = useTalkEdit(user?.profile_complete ? user : null);
  const complete = region !== "country" || wish.country > 0;

  function pickRegion(next: Region): void {
    setRegion(next);
    if (next === "country") openList();
    else setWish({ ...wish, country: next === "global" ? countryGlobal : countryBalanced });
  }
  function openList(): void {
    if (isMobile) setShown("countries");
  }
  function pickCountry(id: number): void {
    setWish({ ...wish, country: id });
    setShown("filters");
  }
  function save(): void {
    if (!complete) return openList();
    rememberCountry(wish.country);
    saveAndReport(wish);
    showToast({ text: t("pref.saved") });
    closeOverlay("preferences", "done");
  }

  const close = () => closeOverlay("preferences");
  const excluded = talk.stored?.leaves_out ?? [];
  const picker = <CountryPicker chosen={wish.country} excluded={excluded} onPick={pickCountry} />;
  if (user && shown === "left-out") {
    const searched = [...new Set([saved.country, region === "country" ? wish.country : 0])].filter((id) => id > 0);
    const showFilters = () => {
      // Drops unsaved changes of the excluded countries.
      talk.change({ leaves_out: excluded });
      setShown("filters");
    };
    return (
      <Sheet
        widthPx={520}
        title={t("talk.leftOutTitle")}
        lead={t("talk.leftOutLead")}
        row
        onBack={showFilters}
        onClose={close}
        foot={<ExcludedSaveBar talk={talk} onSaved={() => setShown("filters")} />}
      >
        <ExcludedCountries user={user} talk={talk} searched={searched} />
      </Sheet>
    );
  }
  if (isMobile && shown === "countries") {
    return (
      <Sheet title={t("region.title")} onBack={() => setShown("filters")} onClose={close}>
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
            <Button kind="outline" block onClick={openList}>
              {t("pref.pickCountry")}
            </Button>
          )}
          {talk.stored !== undefined && talk.stored.leaves_out_max > 0 && (
            <Button
              kind="plain"
              size="small"
              icon={<MapPinOff size={18} aria-hidden="true" />}
              onClick={() => setShown("left-out")}
            >
              {excluded.length === 0 ? t("talk.leftOutTitle") : t("talk.leftOutCount", { count: excluded.length })}
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
    <div className={styles.meet}>
      <Segmented
        legend={t("pref.meet")}
        hideLegend={false}
        value={chosen}
        options={[
          { value: "both", label: t("pref.both"), hint: <Price beans={0} /> },
          { value: "women", label: t("pref.women"), hint: <Price beans={prices.gender} /> },
          { value: "men", label: t("pref.men"), hint: <Price beans={prices.gender} /> },
        ]}
        onChange={(value: keyof typeof sexes) => onPick(sexes[value])}
      />
    </div>
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
          icon: <Navigation size={20} aria-hidden="true" />,
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

/** The price that one option adds per minute, never lower than what is charged. */
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

/** The price of the whole choice per minute, in beans and in money. */
function Total({ wish }: { wish: MatchFilters }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const price = prices.of(wish);
  const cheaper = wish.sex !== 0 && wish.country > 0 && prices.both < prices.gender + prices.country;
  return (
    <p className={styles.total} aria-live="polite">
      <small>{t("price.perMinute")}</small>
      {price === 0 ? (
        <b>{t("price.free")}</b>
      ) : (
        <span>
          <Bean size={18} />
          <b translate="no">{formatBeans(price)}</b>
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
function CountryPicker(props: {
  chosen: number;
  /** Countries that the user excludes from matching; the list disables them. */
  excluded: readonly number[];
  onPick: (id: number) => void;
}): ReactNode {
  const { chosen, excluded, onPick } = props;
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
          <Place key={country.id} {...{ country, onPick, excluded }} chosen={chosen === country.id} />
        ))}
        {recent.length > 0 && <p className={styles.heading}>{t("region.all")}</p>}
        {others.map((country) => (
          <Place key={country.id} {...{ country, onPick, excluded }} chosen={chosen === country.id} />
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

function Place(props: {
  country: ListedCountry;
  chosen: boolean;
  excluded: readonly number[];
  onPick: (id: number) => void;
}): ReactNode {
  const t = useT();
  const { country, chosen } = props;
  const isOff = props.excluded.includes(country.id);
  return (
    <label className={styles.place} data-on={chosen || undefined} data-off={isOff || undefined}>
      <input type="radio" name="country" checked={chosen} disabled={isOff} onChange={() => props.onPick(country.id)} />
      <Flag src={country.flag} widthPx={27} />
      <span>{country.languageText}</span>
      {isOff && <small>{t("talk.leftOut")}</small>}
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

/**
 * The countries that were chosen on this page, newest first. Kept only in memory, because the specification has no
 * storage key for them.
 */
export function recentCountries(): readonly number[] {
  return recent;
}

export function rememberCountry(id: number): void {
  if (id > 0) recent = [id, ...recent.filter((other) => other !== id)].slice(0, recentMax);
}
