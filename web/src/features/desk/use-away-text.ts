import { useReach } from "#lib/connection.ts";
import { useT } from "#lib/i18n.ts";

/** Why nothing can be decided while nothing reaches the server. */
export function useAwayText(): string {
  const t = useT();
  return t(useReach() === "away" ? "desk.closed.away" : "desk.closed.offline");
}
