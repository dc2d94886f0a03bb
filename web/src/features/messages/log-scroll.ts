/** What the log shows, and how it stands, before or after something changed. Lengths in pixels. */
export interface LogShape {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Rows that are looked at when something changes. */
export interface LogEnds {
  readonly firstKey: string | null;
  readonly lastKey: string | null;
  /** The last row is an own message. */
  readonly isOwn: boolean;
}

/** So near the end, new messages are followed. */
const nearEndPx = 48;
/** So near the start, older messages are fetched. */
const nearStartPx = 240;

export function isAtEnd({ scrollTop, scrollHeight, clientHeight }: LogShape): boolean {
  return scrollHeight - scrollTop - clientHeight <= nearEndPx;
}

export function isNearStart({ scrollTop }: LogShape): boolean {
  return scrollTop <= nearStartPx;
}

/**
 * Where the log goes when its rows changed (rule MSG-75). It opens at the newest message, follows what comes while it
 * stands at the end and what the person writes; rows that came in above do not move what is read.
 */
export type LogMove =
  | { readonly to: "end" }
  | { readonly to: number }
  | { readonly to: "stay"; readonly isNews: boolean };

export function logMove(
  before: { ends: LogEnds; shape: LogShape } | null,
  now: { ends: LogEnds; shape: LogShape },
): LogMove {
  if (!before || before.ends.lastKey === null) return { to: "end" };
  const isNew = before.ends.lastKey !== now.ends.lastKey;
  if (isAtEnd(before.shape) || (isNew && now.ends.isOwn)) return { to: "end" };
  if (before.ends.firstKey !== now.ends.firstKey && !isNew)
    return { to: before.shape.scrollTop + now.shape.scrollHeight - before.shape.scrollHeight };
  return { to: "stay", isNews: isNew };
}
