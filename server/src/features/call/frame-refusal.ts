import { codes } from "@fava/wire/codes.ts";
import type { SocketError } from "@fava/wire/socket.ts";
import type { Bus } from "#ports/bus.ts";
import type { RoomFrame } from "#socket/hub-listener.ts";

export interface FrameRefusal {
  readonly frame: RoomFrame;
  readonly reason: Extract<SocketError, "unknown_room" | "refused" | "abusive" | "muted">;
  /** With `muted`: milliseconds since the epoch. */
  readonly until?: number;
}

/** Tells the sender of a room's frame that nothing became of it. */
export function refuseFrame(bus: Bus, userId: bigint, { frame, ...why }: FrameRefusal): void {
  const code = why.reason === "unknown_room" ? codes.forbidden : codes.refused;
  const error = { type: "error", code, ...why } as const;
  bus.pass(userId, frame.type === "chat" ? { ...error, clientId: frame.clientId } : error);
}
