import type { Presence } from "@fava/wire/people.ts";
import { useReachability } from "#lib/socket/connection.ts";

/** A friend's presence; null while the server cannot be reached. */
export function useKnownPresence(presence: Presence | null): Presence | null {
  return useReachability() === "fine" ? presence : null;
}
