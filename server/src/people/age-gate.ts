import type { Kysely } from "kysely";
import { adultFrom, ageOn, type CalendarDay, parseDay } from "@fava/wire/age.ts";
import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { ageYearsMin } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { badInput, forbidden } from "#lib/errors.ts";
import type { Clock } from "#ports/clock.ts";
import type { AgeRefusals, IdentityKey, ProfileRow } from "./profile-store.ts";

/** Birthday or gender; at least one is present. */
export interface GivenFacts {
  birthday?: CalendarDay;
  sex?: 1 | 2;
}

/** Decides the age rule, as the only place: 18 years by the full date, in the UTC calendar (rule AGE-1). */
export class AgeGate {
  readonly #clock: Clock;
  readonly #refusals: AgeRefusals;

  constructor(clock: Clock, refusals: AgeRefusals) {
    this.#clock = clock;
    this.#refusals = refusals;
  }

  today(): CalendarDay {
    return new Date(this.#clock.nowMs()).toISOString().slice(0, 10);
  }

  /**
   * @throws EndpointError 400 for no fact at all, a date and a year that are not both present or disagree, an invalid
   * date.
   */
  parse(input: ParsedInputOf<Endpoints["userUpdate"]>): GivenFacts {
    const { birthday, birth_year: birthYear, sex } = input;
    if (birthday === undefined && birthYear === undefined && sex === undefined) throw badInput("nothing to store");
    if ((birthday === undefined) !== (birthYear === undefined))
      throw badInput("birthday and birth_year go together", "birthday");
    if (birthday === undefined) return sex === undefined ? {} : { sex };
    const day = parseDay(birthday);
    if (!day) throw badInput("not a calendar day", "birthday");
    if (day.year !== birthYear) throw badInput("birth_year differs from birthday", "birth_year");
    return sex === undefined ? { birthday } : { birthday, sex };
  }

  /**
   * Checks given facts. Stores of an underage user only when to try again.
   * @returns the day on which an underage user may try again; null if the facts may be stored.
   * @throws EndpointError 403 `already_set` with the field.
   */
  async refuse(
    trx: Kysely<Database>,
    person: { user: ProfileRow; identities: readonly IdentityKey[]; given: GivenFacts },
  ): Promise<CalendarDay | null> {
    const { user, identities, given } = person;
    if (given.birthday !== undefined && user.birthday !== null) throw forbidden("already_set", { field: "birthday" });
    if (given.sex !== undefined && user.sex !== 0) throw forbidden("already_set", { field: "sex" });
    const earlier = await this.#refusals.tryAgainOn(trx, identities, this.today());
    if (earlier !== null) return earlier;
    if (given.birthday === undefined) return null;
    if (ageOn(given.birthday, this.#clock.nowMs()) >= ageYearsMin) {
      await this.#refusals.remove(trx, identities);
      return null;
    }
    const tryAgainOn = adultFrom(given.birthday);
    await this.#refusals.add(trx, identities, tryAgainOn);
    return tryAgainOn;
  }
}
