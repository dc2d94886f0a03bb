import type { Presence } from "@fava/wire/people.ts";
import { useReach } from "#lib/socket/connection.ts";

/** A friend's presence; null while the server cannot be reached. */
export function useKnownPresence(presence: Presence | null): Presence | null {
  return useReach() === "fine" ? presence : null;
}
