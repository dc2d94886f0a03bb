import { type Kysely, type RawBuilder, sql } from "kysely";
import { listPageRows, searchAge, searchNameLengthMin } from "@fava/wire/limits.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import { notBlocked } from "./directory-store.ts";

export interface SearchPosition {
  readonly id: bigint;
  /** The nickname as the database's `fold_name` folds it. */
  readonly name: string;
}

export interface SearchQuery {
  readonly userId: bigint;
  readonly text: string;
  readonly sex: 0 | 1 | 2;
  readonly minAge: number;
  readonly maxAge: number;
  readonly country: number;
  /** The last position of the previous page; null for the first page. */
  readonly after: SearchPosition | null;
  readonly nowMs: number;
}

/**
 * First the user with this number, then searchable users whose folded nickname begins with the text. Excludes the
 * caller, banned users, and users of unknown age or gender. Filters do not apply to unsearchable users, whom only their
 * number finds.
 * @returns more positions than a page if another page follows.
 */
export async function findPeople(db: Kysely<Database>, query: SearchQuery): Promise<SearchPosition[]> {
  const isNumber = userNumber.test(query.text.trim()) && query.after === null;
  const [ofNumber, ofName] = await Promise.all([isNumber ? findByNumber(db, query) : [], findByName(db, query)]);
  return [...ofNumber, ...ofName.filter(({ id }) => !ofNumber.some((person) => person.id === id))];
}

/** The users who match at the primary: the positions may come from a replica some seconds behind. */
export async function stillMatching(
  db: Kysely<Database>,
  people: readonly Pick<SearchPosition, "id">[],
  query: SearchQuery,
): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: bigint }>`
    select person.id from users as person
    where person.id = any (${people.map(({ id }) => String(id))}::bigint[]) and ${isWanted(query)}
      and (person.searchable or person.user_no = ${query.text.trim()})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the text is too short to be a name, so that paging would list all users. */
export function isBrowsing({ text }: Pick<SearchQuery, "text">): boolean {
  const folded = text.normalize("NFKD").replace(unsearched, "").trim();
  return Array.from(folded).length < searchNameLengthMin;
}

/** Signs that `fold_name` of the database drops. A text of only these would match every name. */
const unsearched =
  /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u06d6-\u06ed\u08d3-\u08ff]|\u0640/gu;

const userNumber = /^\d{8}$/;
/** Limits how many matching names are filtered, so that rare filters cost no more than others. */
const namesExaminedMax = 10_000;

async function findByNumber(db: Kysely<Database>, query: SearchQuery): Promise<SearchPosition[]> {
  const { rows } = await sql<SearchPosition>`
    select person.id, search_name as name from users as person
    where person.user_no = ${query.text.trim()} and ${isWanted(query)}`.execute(db);
  return rows;
}

async function findByName(db: Kysely<Database>, query: SearchQuery): Promise<SearchPosition[]> {
  const { rows } = await sql<SearchPosition>`
    select person.id, person.name from (
      select users.*, search_name as name from users
      where searchable and deleted_at is null and starts_with(search_name, fold_name(${query.text.trim()}))
        and ${isOfCountry(query.country)} and ${isAfter(query.after)}
      order by search_name, id
      limit ${namesExaminedMax}
    ) as person
    where ${isWanted(query)}
    order by person.name, person.id
    limit ${listPageRows + 1}`.execute(db);
  return rows;
}

function isOfCountry(country: number): RawBuilder<boolean> {
  return sql<boolean>`(${country}::integer = 0 or country_id = ${country})`;
}

/** SQL: filters apply only to searchable users, or trying ages with a number would reveal an age (rule PEOPLE-564). */
function isWanted({ userId, sex, country, minAge, maxAge, nowMs }: SearchQuery): RawBuilder<boolean> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const bornBy = sql`(${today}::date - make_interval(years => ${minAge}))`;
  const bornAfter = sql`(${today}::date - make_interval(years => ${maxAge + 1}))`;
  return sql<boolean>`
    person.deleted_at is null and person.id <> ${userId} and not person.official
    and person.sex <> 0 and person.birthday is not null
    and (
      not person.searchable
      or (${sex}::smallint = 0 or person.sex = ${sex})
      and ${isOfCountry(country)}
      and person.birthday <= ${bornBy}
      and (${maxAge >= searchAge.max}::boolean or person.birthday > ${bornAfter})
    )
    and ${notBlocked(sql`${userId}`, sql`person.id`)}
    and not exists (
      select from bans
      where bans.user_id = person.id and (bans.until is null or bans.until > ${new Date(nowMs)})
        and bans.ended_early_at is null
    )`;
}

function isAfter(place: SearchPosition | null): RawBuilder<boolean> {
  if (place === null) return sql<boolean>`true`;
  return sql<boolean>`(search_name, id) > (${place.name}::text, ${place.id}::bigint)`;
}

// PostgreSQL stores no text with a NUL.
// oxlint-disable-next-line no-control-regex
const placeShape = /^(\d{1,18}):([^\0]+)$/;

/** Contains the name. By an id, which clients can forge, the server would look up unsearchable users' names. */
export function writeSearchCursor({ id, name }: SearchPosition): string {
  return Buffer.from(`${id}:${name}`).toString("base64url");
}

/** @throws EndpointError 400 for anything that `writeSearchCursor` did not make. */
export function readSearchCursor(cursor: string): SearchPosition {
  const [, id, name] = placeShape.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  if (id === undefined || name === undefined) throw badInput("invalid cursor", "cursor");
  return { id: BigInt(id), name };
}
