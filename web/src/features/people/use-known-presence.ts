import type { Presence } from "@fava/wire/people.ts";
import { useReach } from "#lib/socket/connection.ts";

/** Whether a friend is there, which is known only while Fava says so. */
export function useKnownPresence(presence: Presence | null): Presence | null {
  return useReach() === "fine" ? presence : null;
}
