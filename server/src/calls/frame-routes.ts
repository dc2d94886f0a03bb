import type { Handlers } from "#ports/handlers.ts";
import type { InspectionService } from "./inspection-service.ts";

/** The endpoint for frames that the inspection requested by a ticket. */
export function frameHandlers(inspection: Pick<InspectionService, "take">): Pick<Handlers, "videoInspect"> {
  return {
    videoInspect: async ({ session, file }, { room_id: roomId, ticket }) => {
      await inspection.take(session.userId, { roomId, ticket, bytes: file });
      return {};
    },
  };
}
