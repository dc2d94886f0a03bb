import { IdTable } from "./matcher-id-table.ts";
import { LinkedLists } from "./matcher-lists.ts";
import { linkFields, PersonRecords } from "./matcher-records.ts";
import { RecentPartners } from "./recent-partners.ts";

/**
 * Everybody the matcher has a record of: who waits, and as many as fit of those who do not wait but whose partners are
 * remembered. When records run out, the person who has been idle the longest is forgotten.
 */
export class MatcherPeople {
  readonly records: PersonRecords;
  readonly partners: RecentPartners;
  readonly #recordsMax: number;
  readonly #table: IdTable;
  /** The callers' own bigints, so that no request has to make one. */
  readonly #userIds: bigint[] = [0n];
  /** Shares its links with the retry queues: nobody is idle and due at once. */
  readonly #idle: LinkedLists;

  constructor(recordsMax: number) {
    this.#recordsMax = recordsMax;
    this.records = new PersonRecords(recordsMax);
    this.partners = new RecentPartners(this.records);
    this.#table = new IdTable(recordsMax);
    this.#idle = new LinkedLists(this.records.links, linkFields.due, 1);
  }

  /** The record of a person, or 0. */
  find(userId: bigint): number {
    return this.#table.get(Number(userId));
  }

  userId(person: number): bigint {
    return this.#userIds[person]!;
  }

  /** The record of a person, made (and idle) where there was none. */
  obtain(userId: bigint): number {
    const known = this.find(userId);
    if (known !== 0) return known;
    const person = this.#userIds.length <= this.#recordsMax ? this.#userIds.length : this.#forgetIdlest();
    const id = Number(userId);
    this.#userIds[person] = userId;
    this.records.setId(person, id);
    this.#table.set(id, person);
    this.#idle.append(0, person);
    return person;
  }

  /** The person starts to wait and cannot be forgotten. */
  leaveIdle(person: number): void {
    this.#idle.remove(0, person);
  }

  /** The person no longer waits, and is forgotten when enough others came after. */
  enterIdle(person: number): void {
    this.#idle.append(0, person);
  }

  #forgetIdlest(): number {
    const person = this.#idle.first(0);
    this.#idle.remove(0, person);
    this.#table.delete(this.records.id(person));
    this.partners.forget(person);
    return person;
  }
}
