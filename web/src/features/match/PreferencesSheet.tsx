import { Globe, MapPin, Scale } from "lucide-react";
import { type ReactNode, useState } from "react";
import { countryBalanced, countryGlobal, type MatchWish, type WishedSex } from "@fava/wire/beans.ts";
import { useCountries } from "#lib/countries.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { usePrices } from "#lib/prices.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { useWish } from "#lib/wish.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { showToast } from "#ui/toast-store.ts";
import { CountryPicker } from "./CountryPicker.tsx";
import { PreferenceRow } from "./PreferenceRow.tsx";
import { rememberCountry } from "./recent-countries.ts";
import { saveAndReport } from "./report-wish.ts";
import styles from "./PreferencesSheet.module.css";

type Region = "balanced" | "global" | "country";

const genders = [
  { sex: 0, label: "pref.both" },
  { sex: 2, label: "pref.women" },
  { sex: 1, label: "pref.men" },
] as const satisfies readonly { sex: WishedSex; label: string }[];

/** Match preferences: gender and region with what each costs; closing without Save changes nothing (rule MATCH-20). */
export function PreferencesSheet({ open }: { open: boolean }): ReactNode {
  const t = useT();
  const saved = useWish();
  const isMobile = useIsMobile();
  const [wish, setWish] = useState<MatchWish>(saved);
  const [region, setRegion] = useState<Region>(regionOf(saved));
  /** On a phone the list of countries is a second page. */
  const [listPage, setListPage] = useState(false);
  const chosen = useCountries().find((country) => country.id === wish.country);
  const complete = region !== "country" || wish.country > 0;

  function pickRegion(next: Region): void {
    setRegion(next);
    if (next === "country") {
      if (isMobile) setListPage(true);
      return;
    }
    setWish({ ...wish, country: next === "global" ? countryGlobal : countryBalanced });
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

  const picker = <CountryPicker chosen={wish.country} onPick={pickCountry} />;
  const regions = [
    { value: "balanced", label: t("pref.balanced"), hint: t("pref.balancedHint"), icon: <Scale size={20} /> },
    { value: "global", label: t("pref.global"), hint: t("pref.globalHint"), icon: <Globe size={20} /> },
    {
      value: "country",
      label: chosen?.languageText ?? t("pref.country"),
      hint: chosen ? t("pref.country") : t("pref.countryHint"),
      icon: <MapPin size={20} />,
    },
  ] as const;
  if (isMobile && listPage) {
    return (
      <Sheet
        open={open}
        title={t("region.title")}
        onBack={() => setListPage(false)}
        onClose={() => closeOverlay("preferences")}
      >
        {picker}
      </Sheet>
    );
  }
  const wide = region === "country" && !isMobile;
  return (
    <Sheet
      open={open}
      widthPx={wide ? 880 : 520}
      title={t("pref.title")}
      onClose={() => closeOverlay("preferences")}
      foot={
        <div className={styles.foot}>
          <Total wish={wish} />
          <Button kind="go" aria-disabled={!complete} onClick={save}>
            {t("common.save")}
          </Button>
        </div>
      }
    >
      <div className={styles.panes} data-wide={wide || undefined}>
        <div className={styles.form}>
          <fieldset className={styles.group}>
            <legend>{t("pref.meet")}</legend>
            {genders.map(({ sex, label }) => (
              <PreferenceRow
                key={sex}
                name="sex"
                label={t(label)}
                checked={wish.sex === sex}
                added={{ sex, country: countryBalanced }}
                onPick={() => setWish({ ...wish, sex })}
              />
            ))}
          </fieldset>
          <fieldset className={styles.group}>
            <legend>{t("pref.from")}</legend>
            {regions.map(({ value, label, hint, icon }) => (
              <PreferenceRow
                key={value}
                name="region"
                label={label}
                hint={hint}
                icon={icon}
                checked={region === value}
                added={{ sex: 0, country: value === "country" ? 1 : countryBalanced }}
                onPick={() => pickRegion(value)}
              />
            ))}
          </fieldset>
        </div>
        {wide && picker}
      </div>
    </Sheet>
  );
}

/** What the whole choice costs a minute, in beans and in money. */
function Total({ wish }: { wish: MatchWish }): ReactNode {
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

function regionOf(wish: MatchWish): Region {
  if (wish.country === countryGlobal) return "global";
  return wish.country === countryBalanced ? "balanced" : "country";
}
