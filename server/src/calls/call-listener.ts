import type { HubListener } from "#ports/hub-listener.ts";
import type { CallEvent } from "#ports/peers.ts";

/** What hears of the people whose searches and calls are here. */
export type CallListener = Pick<
  HubListener,
  "arrived" | "dropped" | "resumed" | "gone" | "roomMessage" | "searchMedia"
>;

/** Tells what a person does, wherever their page is. */
export function tellCallEvent(listener: Partial<CallListener>, userId: bigint, event: CallEvent): void {
  switch (event.type) {
    case "gone":
      return listener.gone?.(userId, event.how);
    case "roomMessage":
      return listener.roomMessage?.(userId, event.message);
    case "searchMedia":
      return listener.searchMedia?.(userId, event.state);
    case "arrived":
    case "dropped":
    case "resumed":
      return listener[event.type]?.(userId);
  }
}
