import { badInput } from "#http/call-error.ts";

/** Where a page ends: the last row's time, in microseconds since the epoch as the database keeps them, and its person. */
export interface Cursor {
  readonly atUs: bigint;
  readonly id: bigint;
}

/** Before every row. */
export const fromTheNewest: Cursor = { atUs: 9_000_000_000_000_000n, id: 0n };

export function writeCursor({ atUs, id }: Cursor): string {
  return Buffer.from(`${atUs}.${id}`).toString("base64url");
}

/** @throws CallError 400 for anything that `writeCursor` did not make. */
export function readCursor(text: string | undefined): Cursor {
  if (text === undefined) return fromTheNewest;
  const parts = /^(\d{1,16})\.(\d{1,18})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (!parts?.[1] || !parts[2]) throw badInput("cursor is none of ours", "cursor");
  return { atUs: BigInt(parts[1]), id: BigInt(parts[2]) };
}
