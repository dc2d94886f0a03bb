import { type Kysely, sql } from "kysely";

/** The form in which nicknames are searched, kept by the database so that no writer can forget it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A migration that waits longer for a table holds up every query behind it.
  await sql`set local lock_timeout = 500`.execute(db);
  await createFoldName(db);
  await sql`alter table users add column search_name text collate "C" not null default ''`.execute(db);
  await sql`
    create function keep_search_name() returns trigger language plpgsql as $$
    begin
      new.search_name := fold_name(new.nickname);
      return new;
    end $$`.execute(db);
  await sql`
    create trigger users_search_name before insert or update of nickname on users
    for each row execute function keep_search_name()`.execute(db);
  // Also for rows that are written in bulk without foreign keys being checked.
  await sql`alter table users enable always trigger users_search_name`.execute(db);
  const means = "The nickname as searches compare it, by fold_name; a trigger keeps it.";
  await sql`comment on column users.search_name is ${sql.lit(means)}`.execute(db);
}

/** Apostrophes, straight and curly, and letters that take their place; an accent alone would decompose into a blank. */
const apostrophes = "\u2018\u2019\u201b\u02bb\u02bc\u02b9\u2032\u0060\u00b4\uff07\u05f3";
/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic, signs without a width, and the stroke that stretches Arabic words. */
const dropped = String.raw`[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u061c\u0640\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]`;
/** Letters that searches take for each other: forms of alif, ya, kaf and he, letters with a stroke, the dotless i. */
const alike = { from: "ٱىیکةھہıøłđħ", to: "اييكهههioldh" };
/** The end of the plane after the basic one: no script with capitals lies behind it. */
const lastLetter = 0x1ffff;

/**
 * The letters that `fold_name` turns into others, each at the same place of both texts. A table, as the `lower` of a
 * database depends on its locale: under "C" it knows the letters of English alone.
 */
function foldedLetters(): { from: string; to: string } {
  const folded = new Map(Array.from(alike.from, (letter, at) => [letter, alike.to.charAt(at)]));
  for (let code = 0x41; code <= lastLetter; code++) {
    const letter = String.fromCodePoint(code);
    // A letter that decomposes never reaches the table.
    if (!/^\p{L}$/u.test(letter) || letter.normalize("NFKD") !== letter) continue;
    const small = letter.toUpperCase().toLowerCase();
    const target = folded.get(small) ?? small;
    if (target !== letter && Array.from(target).length === 1 && !folded.has(letter)) folded.set(letter, target);
  }
  return { from: Array.from(folded.keys()).join(""), to: Array.from(folded.values()).join("") };
}

/** At most 40 letters: a single sign can decompose into many, and the cursor of a page holds the whole. */
async function createFoldName(db: Kysely<unknown>): Promise<void> {
  const letters = foldedLetters();
  await sql`
    create function fold_name(name text) returns text language sql immutable strict parallel safe as ${sql.lit(`
      select left(normalize(translate(
        regexp_replace(
          regexp_replace(
            normalize(translate(name, '${apostrophes}', repeat('''', ${apostrophes.length})), NFKD),
            '${dropped}', '', 'g'
          ),
          '[ßẞ]', 'ss', 'g'
        ),
        '${letters.from}', '${letters.to}'
      ), NFC), 40)`)}`.execute(db);
  const means = "Two names that a person takes for the same: marks, case, forms of alif, i and apostrophes are one.";
  await sql`comment on function fold_name(text) is ${sql.lit(means)}`.execute(db);
}
