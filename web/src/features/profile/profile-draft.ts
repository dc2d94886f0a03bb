import type { InputOf } from "@fava/wire/endpoint.ts";
import type { userUpdate } from "@fava/wire/endpoints/profile.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";

/** What the profile's fields hold before it is saved. */
export interface ProfileDraft {
  readonly nickname: string;
  readonly location: string;
  readonly about: string;
  readonly searchable: 0 | 1;
}

export type TextField = "nickname" | "location" | "about";
export const textFields = ["nickname", "location", "about"] as const satisfies readonly TextField[];

/** Why a field cannot be saved: it is empty, or something is found in it that may not be there (`finding` names the first). */
export type FieldProblem = { kind: "empty" } | { kind: "found"; finding: string };
export type FieldProblems = Readonly<Partial<Record<TextField, FieldProblem>>>;

export type ProfileChanges = Pick<InputOf<typeof userUpdate>, "nickname" | "location" | "about" | "searchable">;

export function draftOf(user: OwnUser): ProfileDraft {
  return { nickname: user.nickname, location: user.location, about: user.about, searchable: user.searchable };
}

/** The fields that differ from what is stored; blanks around a text are no difference. Null: nothing to save. */
export function changesOf(user: OwnUser, draft: ProfileDraft): ProfileChanges | null {
  const changes: ProfileChanges = {};
  for (const field of textFields) if (draft[field].trim() !== user[field]) changes[field] = draft[field].trim();
  if (draft.searchable !== user.searchable) changes.searchable = draft.searchable;
  return Object.keys(changes).length > 0 ? changes : null;
}

/**
 * What stands in the way of saving, for changed fields only: nobody is blamed for what was stored before. The name must
 * not be empty, nor about-me once it was written (rule USER-55); the server decides again about what they say.
 */
export function problemsOf(user: OwnUser, draft: ProfileDraft): FieldProblems {
  const changes = changesOf(user, draft) ?? {};
  const problems: Partial<Record<TextField, FieldProblem>> = {};
  for (const field of textFields) {
    const text = changes[field];
    if (text === undefined) continue;
    const finding = findPersonalData(text)[0];
    if (text === "" && field !== "location") problems[field] = { kind: "empty" };
    else if (finding !== undefined) problems[field] = { kind: "found", finding };
  }
  return problems;
}
