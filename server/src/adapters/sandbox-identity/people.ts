import type { Sex } from "@fava/wire/people.ts";

/** What is special about a seeded person; the account chooser says it. */
export type SandboxStanding = "ordinary" | "moderator" | "administrator" | "banned" | "under_age";

export interface SandboxPerson {
  /** Name in scripts and tests, and of the portrait. */
  key: string;
  name: string;
  sex: Exclude<Sex, 0>;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** Stored for everybody but the under-age person, of whom no date is kept. */
  birthday: string;
  standing: SandboxStanding;
}

/** The cast of the sandbox. Scripts sign in as any of them by `key`. */
export const sandboxPeople: readonly SandboxPerson[] = [
  { key: "ana", name: "Ana", sex: 2, countryCode: "BR", birthday: "1998-04-17", standing: "ordinary" },
  { key: "bo", name: "Bo", sex: 1, countryCode: "DE", birthday: "1995-11-02", standing: "ordinary" },
  { key: "theo", name: "Théo", sex: 1, countryCode: "FR", birthday: "1992-07-30", standing: "ordinary" },
  { key: "mira", name: "Mira", sex: 2, countryCode: "JP", birthday: "2000-01-09", standing: "ordinary" },
  { key: "sam", name: "Sam", sex: 1, countryCode: "PH", birthday: "1999-09-21", standing: "ordinary" },
  { key: "lale", name: "Lâle", sex: 2, countryCode: "TR", birthday: "1997-05-06", standing: "ordinary" },
  { key: "putri", name: "Putri", sex: 2, countryCode: "ID", birthday: "2001-12-12", standing: "ordinary" },
  { key: "omar", name: "عمر", sex: 1, countryCode: "SA", birthday: "1994-03-28", standing: "ordinary" },
  { key: "kate", name: "Kate", sex: 2, countryCode: "GB", birthday: "1996-08-14", standing: "ordinary" },
  { key: "mia", name: "Mia", sex: 2, countryCode: "NL", birthday: "1990-02-19", standing: "moderator" },
  { key: "noor", name: "Noor", sex: 1, countryCode: "AE", birthday: "1989-10-05", standing: "moderator" },
  { key: "ada", name: "Ada", sex: 2, countryCode: "GB", birthday: "1985-12-10", standing: "administrator" },
  { key: "rex", name: "Rex", sex: 1, countryCode: "US", birthday: "1993-06-01", standing: "banned" },
  { key: "kim", name: "Kim", sex: 2, countryCode: "KR", birthday: "", standing: "under_age" },
];
