import { Globe, MapPin, Users } from "lucide-react";
import { type ReactNode, useState } from "react";
import { countryBalanced, type MatchWish } from "@fava/wire/beans.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { usePrices } from "#lib/prices.ts";
import { Bean } from "#ui/Bean.tsx";
import { startCall } from "./call.ts";
import { Ring } from "./Ring.tsx";
import { type Search, SearchTime, sexKey, useCountryWord, WishChips } from "./SearchPanel.tsx";
import { LogoMark } from "#ui/Logo.tsx";
import { widerWishes } from "./wider-wishes.ts";
import styles from "./Panels.module.css";

/** After 10 s: wider searches with their own price, none preselected. A paid filter is never widened alone (rule MATCH-7). */
export function WidenPanel({ search }: { search: Search }): ReactNode {
  const t = useT();
  const [dismissed, setDismissed] = useState(false);
  const wishes = widerWishes(search.wish);
  if (wishes.length === 0 || dismissed) {
    return (
      <div className={styles.centre}>
        <Ring>
          <LogoMark size={46} plain />
        </Ring>
        <h1>{t("search.title")}</h1>
        <SearchTime sinceMs={search.sinceMs} />
        <p className={styles.sub}>{t(dismissed ? "search.widen" : "search.few")}</p>
        <WishChips wish={search.wish} />
      </div>
    );
  }
  return (
    <div className={styles.card}>
      <SearchTime sinceMs={search.sinceMs} />
      <h1>{t("search.widen")}</h1>
      <p className={styles.sub}>{t("search.widenText")}</p>
      <div className={styles.choices}>
        {wishes.map((wish) => (
          <WiderChoice key={`${wish.sex} ${wish.country}`} wish={wish} />
        ))}
      </div>
      <button type="button" className={styles.keep} onClick={() => setDismissed(true)}>
        {t("search.wait")}
      </button>
    </div>
  );
}

function WiderChoice({ wish }: { wish: MatchWish }): ReactNode {
  const t = useT();
  const price = usePrices().of(wish);
  const country = useCountryWord(wish.country);
  const where = wish.country === countryBalanced ? t("search.anywhere") : country;
  const Icon = wish.country > 0 ? MapPin : wish.sex === 0 ? Users : Globe;
  return (
    <button type="button" onClick={() => void startCall(wish)}>
      <Icon size={22} aria-hidden="true" />
      <span>{t("search.choice", { who: t(sexKey(wish.sex)), where })}</span>
      <small>
        {price === 0 ? (
          t("price.free")
        ) : (
          <>
            <Bean size={14} />
            {t("call.price", { beans: formatBeans(price) })}
          </>
        )}
      </small>
    </button>
  );
}
