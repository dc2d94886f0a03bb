import * as v from "valibot";
import type { Session } from "#lib/session-state.ts";

type Banned = Extract<Session, { status: "banned" }>;

const key = "banNotice";
/** Written by this page itself: what is looked at tells only whether it is one. */
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    status: v.literal("banned"),
    notice: v.looseObject({ id: v.string(), time: v.nullable(v.string()), facts: v.looseObject({}) }),
  }),
);

/** Keeps the notice of a ban for a reload of this tab, and forgets it with null (rule APPEAL-30). */
export function keepBan(ban: Banned | null): void {
  const store = tabStore();
  try {
    if (ban) store?.setItem(key, JSON.stringify(ban));
    else store?.removeItem(key);
  } catch {
    // Full, or refused in a private window: then a reload forgets it, and the next sign-in tells it again.
  }
}

/** The ban that this tab was told of, that nobody has read yet, and that goes on; null otherwise. */
export function keptBan(nowMs: number): Banned | null {
  const read = v.safeParse(schema, tabStore()?.getItem(key) ?? null);
  if (!read.success) return null;
  const { time } = read.output.notice;
  return time === null || Date.parse(time) > nowMs ? (read.output as unknown as Banned) : null;
}

/** Null where even reading the property throws, as with cookies switched off. */
function tabStore(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}
