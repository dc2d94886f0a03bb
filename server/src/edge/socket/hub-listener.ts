import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import type { ClientFrame } from "@fava/wire/socket.ts";
import type { Clock } from "#ports/clock.ts";
import type { Limits } from "#ports/limits.ts";
import type { Random } from "#ports/random.ts";
import type { Departure } from "./session-machine.ts";

/** Frames that belong to a room; what they mean is the call service's business. */
export type RoomFrame = Extract<ClientFrame, { type: "signal" | "chat" | "media" }>;

/** Who hears of people coming and going; a listener may leave out what it does not need. Called after the hub's own state has changed; must not throw. */
export interface HubListener {
  /** A new chat session; nothing of an earlier one lives on. */
  arrived(userId: bigint): void;
  /** The socket was lost; the person may come back within `socketResumeMs`. */
  dropped(userId: bigint): void;
  resumed(userId: bigint): void;
  gone(userId: bigint, how: Departure): void;
  roomFrame(userId: bigint, frame: RoomFrame): void;
  /** The person writes to whoever has this chat id. */
  typing(userId: bigint, externalId: string): void;
}

export interface HubOptions {
  /** Whose chat id and signature these are, while the login session behind them lives; null for anything else. */
  verifyChatSign(tencentId: string, tencentSign: string): Promise<{ readonly userId: bigint } | null>;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** From where an upgrade comes. */
  addressOf(request: IncomingMessage): string;
  limits: Pick<Limits, "take">;
  /** Multiplies how many sockets an address may have open. */
  limitFactor: number;
  /** Open sockets; one more is answered 503. As many sessions may exist; one more is asked to try again later. */
  socketsMax: number;
}
