import { forbidden } from "#lib/errors.ts";
import type { Handlers } from "#ports/handlers.ts";

/** Ringing a friend, and what becomes of a ring. */
export function ringHandlers(): Pick<Handlers, "ring" | "ringAnswer" | "ringCancel" | "ringMute"> {
  return {
    ring: async () => ({ state: "unavailable" }),
    ringAnswer: async () => {
      throw forbidden("not_in_room");
    },
    ringCancel: async () => ({}),
    ringMute: async () => ({ until: null }),
  };
}
