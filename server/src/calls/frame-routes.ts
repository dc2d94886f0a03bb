import type { Clock } from "#ports/clock.ts";
import type { Handlers } from "#ports/handlers.ts";
import { peerAnswerMs } from "#ports/peers.ts";
import type { InspectionService } from "./inspection-service.ts";

/** A server that has passed a frame on waits `peerAnswerMs` for the response. */
const answerMs = 0.8 * peerAnswerMs;

/**
 * The endpoint for frames that the inspection requested by a ticket. It responds when the frame is judged, but does not
 * wait for a classifier with a backlog.
 */
export function frameHandlers(
  inspection: Pick<InspectionService, "take">,
  clock: Pick<Clock, "after">,
): Pick<Handlers, "videoInspect"> {
  return {
    videoInspect: async ({ session, file }, { room_id: roomId, ticket }) => {
      const taken = inspection.take(session.userId, { roomId, ticket, bytes: file });
      let limit: Disposable | undefined;
      const waited = new Promise<void>((resolve) => (limit = clock.after(answerMs, resolve)));
      await Promise.race([taken, waited]).finally(() => limit?.[Symbol.dispose]());
      return {};
    },
  };
}
