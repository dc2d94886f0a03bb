import { appealGrounds } from "@fava/wire/moderation.ts";
import * as v from "valibot";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";

const draftSchema = v.object({
  /** End of the token, so that one ban's draft is not another's; the token itself is not stored. */
  of: v.string(),
  ground: v.nullable(v.picklist(appealGrounds)),
  text: v.pipe(v.string(), v.maxLength(appealLengthMax)),
});

export type Ground = (typeof appealGrounds)[number];
export interface Draft {
  readonly ground: Ground | null;
  readonly text: string;
}

const empty: Draft = { ground: null, text: "" };
const nameLength = 8;

/** What was written before and not sent, on this browser alone (rule APPEAL-52). */
export function readDraft(token: string): Draft {
  const stored = readStored("appealDraft");
  if (stored === null) return empty;
  const draft = v.safeParse(v.pipe(v.string(), v.parseJson(), draftSchema), stored);
  return draft.success && draft.output.of === token.slice(-nameLength) ? draft.output : empty;
}

export function keepDraft(token: string, { ground, text }: Draft): void {
  writeStored("appealDraft", JSON.stringify({ of: token.slice(-nameLength), ground, text }));
}

export function dropDraft(): void {
  removeStored("appealDraft");
}
