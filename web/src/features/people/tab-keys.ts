import { type PeopleTab, peopleTabs } from "#lib/person-links.ts";

/** The tab that a key goes to, round at both ends; null for a key that is not the tabs'. */
export function tabAfter(present: PeopleTab, key: string, rightToLeft: boolean): PeopleTab | null {
  const last = peopleTabs.length - 1;
  const at = peopleTabs.indexOf(present);
  const forwards = rightToLeft ? "ArrowLeft" : "ArrowRight";
  const backwards = rightToLeft ? "ArrowRight" : "ArrowLeft";
  const places: Readonly<Record<string, number>> = {
    [forwards]: at === last ? 0 : at + 1,
    [backwards]: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  return peopleTabs[places[key] ?? -1] ?? null;
}
