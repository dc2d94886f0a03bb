import type { Handlers } from "#ports/handlers.ts";
import type { InspectionService } from "./inspection-service.ts";

/** The pictures that the inspection asks for. */
export function inspectionHandlers(inspection: Pick<InspectionService, "take">): Pick<Handlers, "videoInspect"> {
  return {
    videoInspect: async ({ session, file }, { room_id: roomId, ticket }) => {
      await inspection.take(session.userId, { roomId, ticket, bytes: file });
      return {};
    },
  };
}
