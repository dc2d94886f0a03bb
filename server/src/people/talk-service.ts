import type { Kysely } from "kysely";
import type { SharedTags, Talk } from "@fava/wire/talk.ts";
import type { Database } from "#db/schema.ts";
import { noSession } from "#lib/errors.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/rate-limits.ts";
import * as store from "./profile-store.ts";

interface TalkServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  limits: Limits;
  /** What is remembered of a person is no longer so. */
  forget: (userId: bigint) => void;
}

/** Languages and interests that people choose to talk in and about. */
export class TalkService {
  readonly #options: TalkServiceOptions;

  constructor(options: TalkServiceOptions) {
    this.#options = options;
  }

  /** Everything that the person chose, which nobody else ever reads as a whole (rule TALK-4). */
  async mine(userId: bigint): Promise<Talk> {
    const person = await store.knownPerson(this.#options.db, userId);
    if (!person) throw noSession("deleted");
    return person.talk;
  }

  /**
   * Stores what is given, and answers all of it; what changes nothing is not counted.
   *
   * @throws EndpointError 429 for an eleventh change in a day.
   */
  async update(userId: bigint, given: { [Field in keyof Talk]?: Talk[Field] | undefined }): Promise<Talk> {
    const { db, clock, limits, forget } = this.#options;
    const before = await this.mine(userId);
    const change = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<Talk>;
    const after = { ...before, ...change };
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    await takeFromLimit(limits, "talkByUser", String(userId));
    await store.storeTalk(db, userId, { ...change, at: new Date(clock.nowMs()) });
    forget(userId);
    return after;
  }
}

/** What two people both chose, in the order of the first, who is told; undefined where that is nothing (rule TALK-5). */
export function sharedTags(viewer: Talk, other: Talk): SharedTags | undefined {
  const languages = viewer.languages.filter((id) => other.languages.includes(id));
  const interests = viewer.interests.filter((id) => other.interests.includes(id));
  return languages.length + interests.length > 0 ? { languages, interests } : undefined;
}
