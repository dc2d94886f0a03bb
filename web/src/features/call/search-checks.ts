import { readStored, writeStored } from "#lib/storage.ts";

/** The note about the checks counts as read once it has been in view for this long, over however many searches. */
export const noteReadMs = 4_000;

/** Whether this person was told that pictures are looked at while one searches; until then none is to be asked for. */
export function areSearchChecksTold(): boolean {
  return readStored("searchChecksTold") === 1;
}

/** Holds until sign-out (rule STORE-1). */
export function noteSearchChecksTold(): void {
  writeStored("searchChecksTold", 1);
}
