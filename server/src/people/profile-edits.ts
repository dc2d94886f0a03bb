import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { type AskedTextPlace, askedTextPlaces } from "@fava/wire/endpoints/text-questions.ts";
import { aboutLengthMax, locationLengthMax, nicknameChangeMs } from "@fava/wire/limits.ts";
import { badInput, refused } from "#lib/errors.ts";
import { isReservedName } from "#lib/reserved-names.ts";
import { visibleText } from "#lib/visible-text.ts";
import type { TextRules } from "#ports/text-rules.ts";
import type { ProfileRow } from "./profile-store.ts";
import { cleanNickname } from "./sign-in.ts";

type Input = ParsedInputOf<Endpoints["userUpdate"]>;

/** Changes of a profile except birthday and gender. Texts are in the form in which they are stored. */
export interface ProfileEdits {
  nickname?: string;
  about?: string;
  location?: string;
  searchable?: boolean;
  ringable?: boolean;
  avatar?: string;
}

/** @throws EndpointError 400 with the field of an empty or too long text; 406 `invisible_text` with the field. */
export function readEdits(input: Input): ProfileEdits {
  const edits: ProfileEdits = {};
  if (input.nickname !== undefined) edits.nickname = visibleText(cleanNickname(input.nickname), "nickname");
  if (input.about !== undefined) {
    edits.about = fitting(visibleText(cleanParagraph(input.about), "about"), { field: "about", max: aboutLengthMax });
  }
  if (input.location !== undefined) {
    const location = cleanLine(input.location);
    const shown = location === "" ? "" : visibleText(location, "location");
    edits.location = fitting(shown, { field: "location", max: locationLengthMax });
  }
  if (input.searchable !== undefined) edits.searchable = input.searchable === 1;
  if (input.ringable !== undefined) edits.ringable = input.ringable === 1;
  if (input.avatar !== undefined) edits.avatar = input.avatar;
  return edits;
}

/**
 * Checks the texts that a change would store. `isAccepted`: whether a moderator accepted this text for this user.
 * @throws EndpointError 406 `name_reserved`, and the errors of the text rules.
 */
export async function requireTexts(
  {
    texts,
    isAccepted,
  }: { texts: Pick<TextRules, "require">; isAccepted: (place: AskedTextPlace, text: string) => Promise<boolean> },
  user: ProfileRow,
  edits: ProfileEdits,
): Promise<void> {
  if (edits.nickname !== undefined && edits.nickname !== user.nickname && isReservedName(edits.nickname))
    throw refused("name_reserved", { field: "nickname" });
  for (const place of askedTextPlaces) {
    const text = edits[place];
    if (text === undefined || text === user[place] || (await isAccepted(place, text))) continue;
    await texts.require(user.id, text, place);
  }
}

/** @throws EndpointError 406 `nickname_too_soon` with `until` in milliseconds since the epoch. */
export function changedColumns(
  user: ProfileRow,
  { avatar: _avatar, nickname, ...columns }: ProfileEdits,
  nowMs: number,
) {
  if (nickname === undefined || nickname === user.nickname) return columns;
  const until = nicknameNext(user, nowMs);
  if (until !== null) throw refused("nickname_too_soon", { until });
  return { ...columns, nickname, nickname_changed_at: new Date(nowMs) };
}

/** When the user may change the nickname again, in milliseconds since the epoch; null for now. */
export function nicknameNext(user: ProfileRow, nowMs: number): number | null {
  if (!user.nickname_changed_at) return null;
  const nextMs = user.nickname_changed_at.getTime() + nicknameChangeMs;
  return nextMs > nowMs ? nextMs : null;
}

/** Checks the length after Unicode normalization, which can lengthen a text. */
function fitting(text: string, { field, max }: { field: string; max: number }): string {
  if (text.length > max) throw badInput("the text is too long", field);
  return text;
}

// Controls, lone surrogates and marks of text direction, which could rearrange the surrounding line.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const blankLines = /\n{3,}/g;

export function cleanLine(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").replace(unsafe, "").replace(/ {2,}/g, " ").trim();
}

/** Keeps line breaks, with at most one empty line in a row. */
export function cleanParagraph(text: string): string {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, "\n").split("\n");
  return lines.map(cleanLine).join("\n").replace(blankLines, "\n\n").trim();
}
