import { SlidersHorizontal, Users } from "lucide-react";
import type { ReactNode } from "react";
import { countryBalanced, countryGlobal, type MatchWish } from "@fava/wire/beans.ts";
import { useCountries } from "#lib/countries.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { useT, type Key } from "#lib/i18n.ts";
import type { MeetPerson } from "#lib/meet-again.ts";
import { LogoMark } from "#ui/Logo.tsx";
import { openOverlay } from "#lib/overlays.ts";
import { currentWish } from "#lib/wish.ts";
import { startCall } from "./call.ts";
import type { CallState } from "./call-state.ts";
import { Ring } from "./Ring.tsx";
import { useNow } from "./use-now.ts";
import styles from "./Panels.module.css";

export type Search = Extract<CallState, { status: "searching" }>;

/** Nobody yet: how long it has taken, and with which filters. No made-up queue, no made-up number (rule MATCH-4). */
export function SearchPanel({ search }: { search: Search }): ReactNode {
  const t = useT();
  const { meet } = search.wish;
  if (meet) return <MeetPanel search={search} meet={meet} />;
  return (
    <div className={styles.centre}>
      <Ring>
        <LogoMark size={46} plain />
      </Ring>
      <h1>{t("search.title")}</h1>
      <SearchTime sinceMs={search.sinceMs} />
      <WishChips wish={search.wish} />
    </div>
  );
}

/** Both want to meet again, and the other is not there yet. */
function MeetPanel({ search, meet }: { search: Search; meet: MeetPerson }): ReactNode {
  const t = useT();
  const name = isolate(meet.nickname);
  return (
    <div className={styles.centre}>
      <Ring>
        <LogoMark size={46} plain />
      </Ring>
      <h1>{t("search.waitingFor", { name })}</h1>
      <SearchTime sinceMs={search.sinceMs} />
      <p className={styles.sub}>{t("search.waitingText", { name })}</p>
      <p className={styles.chips}>
        <button type="button" onClick={() => void startCall(currentWish())}>
          <Users size={16} aria-hidden="true" />
          {t("search.someoneElse")}
        </button>
      </p>
    </div>
  );
}

export function SearchTime({ sinceMs }: { sinceMs: number }): ReactNode {
  const t = useT();
  const now = useNow();
  return (
    <p className={styles.time} role="timer">
      {t("search.time", { time: formatClock((now - sinceMs) / 1_000) })}
    </p>
  );
}

/** The filters of this search, and the way to change them without stopping it. */
export function WishChips({ wish }: { wish: MatchWish }): ReactNode {
  const t = useT();
  const country = useCountryWord(wish.country);
  async function change(): Promise<void> {
    if ((await openOverlay("preferences")) === "done") await startCall(currentWish());
  }
  return (
    <p className={styles.chips}>
      <span>
        <Users size={16} aria-hidden="true" />
        {t(sexKey(wish.sex))}
      </span>
      <span>{country}</span>
      <button type="button" onClick={() => void change()}>
        <SlidersHorizontal size={16} aria-hidden="true" />
        {t("search.change")}
      </button>
    </p>
  );
}

export function sexKey(sex: MatchWish["sex"]): Key {
  return sex === 0 ? "pref.both" : sex === 1 ? "pref.men" : "pref.women";
}

export function useCountryWord(country: number): string {
  const t = useT();
  const listed = useCountries().find((candidate) => candidate.id === country);
  if (country === countryBalanced) return t("pref.balanced");
  return country === countryGlobal ? t("pref.global") : (listed?.languageText ?? t("pref.country"));
}
