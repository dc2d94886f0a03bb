import type { Kysely } from "kysely";
import type { MatchFilters } from "@fava/wire/beans.ts";
import { countryById } from "@fava/wire/countries.ts";
import type { OwnTalk, SharedTags, Talk } from "@fava/wire/talk.ts";
import type { Database } from "#db/schema.ts";
import { badInput, noSession } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { Settings } from "#ports/settings.ts";
import * as store from "./profile-store.ts";
import { knownPerson } from "./standing-service.ts";

interface TalkServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  limits: Limits;
  settings: Pick<Settings, "excludedCountriesMax">;
  forget: (userId: bigint) => void;
}

export class TalkService {
  readonly #options: TalkServiceOptions;

  constructor(options: TalkServiceOptions) {
    this.#options = options;
  }

  /** The user's own choice. No other user may read all of it (rule TALK-4). */
  async mine(userId: bigint): Promise<OwnTalk> {
    const { db, settings } = this.#options;
    const person = await knownPerson(db, userId);
    if (!person) throw noSession("deleted");
    return {
      ...person.talk,
      leaves_out: excludedCountriesOf(person, settings),
      leaves_out_max: settings.excludedCountriesMax,
    };
  }

  /**
   * Changes the given fields and returns all. An update without a change does not count towards the limit.
   * @throws EndpointError 400 for an unknown country, or too many; 429 for an eleventh change in a day.
   */
  async update(userId: bigint, given: GivenTalk): Promise<OwnTalk> {
    const { db, clock, limits, settings, forget } = this.#options;
    const leavesOut = given.leaves_out ?? [];
    if (leavesOut.length > settings.excludedCountriesMax || leavesOut.some((id) => !countryById(id)))
      throw badInput("these countries cannot be left out", "leaves_out");
    const before = await this.mine(userId);
    const change = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<store.TalkChoice>;
    const after = { ...before, ...change };
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    await takeFromLimit(limits, "talkByUser", String(userId));
    await store.storeTalk(db, userId, { ...change, at: new Date(clock.nowMs()) });
    forget(userId);
    return after;
  }
}

type GivenTalk = { [Field in keyof store.TalkChoice]?: store.TalkChoice[Field] | undefined };

/** The countries that the user leaves out: the first ones chosen, up to the limit of this site. */
export function excludedCountriesOf(
  { leavesOut }: { leavesOut: readonly number[] },
  settings: Pick<Settings, "excludedCountriesMax">,
): number[] {
  return leavesOut.slice(0, settings.excludedCountriesMax);
}

/** @throws EndpointError 400 `country`, since a user must not pay for users of a country that they leave out. */
export function requireNotExcluded({ country }: MatchFilters, { leavesOut }: { leavesOut?: readonly number[] }): void {
  if (leavesOut?.includes(country)) throw badInput("country is left out", "country");
}

interface FromCountry {
  readonly countryId: number;
  readonly leavesOut?: readonly number[];
}

export function areApartByCountry(one: FromCountry, other: FromCountry): boolean {
  const leavesOut = (from: FromCountry, { countryId }: FromCountry) => from.leavesOut?.includes(countryId) ?? false;
  return leavesOut(one, other) || leavesOut(other, one);
}

/** Tags that both users chose, in the viewer's order; undefined for none. */
export function sharedTags(viewer: Talk, other: Talk): SharedTags | undefined {
  const languages = viewer.languages.filter((id) => other.languages.includes(id));
  const interests = viewer.interests.filter((id) => other.interests.includes(id));
  return languages.length + interests.length > 0 ? { languages, interests } : undefined;
}
