import type { CutCall } from "#ports/moderation.ts";
import { callKey, NobodyThereError, type PeerKey, type Peers, personKey } from "#ports/peers.ts";
import type { CallService } from "./room-service.ts";

/** Ends a user's call at this server, or else asks the server with the call, and then the one with the user's session. */
export function callCutter(peers: Peers, calls: Pick<CallService, "current" | "cut">) {
  const cutHere = (userId: bigint): CutCall | null => {
    const current = calls.current(userId);
    if (!current) return null;
    calls.cut(userId);
    return { callId: current.match.roomId, otherId: BigInt(current.match.user_Id) };
  };
  peers.serve("cutCall", async (_input, key) => cutHere(BigInt(key.slice(key.indexOf(":") + 1))));
  const cutThere = (key: PeerKey) =>
    peers.ask("cutCall", key, null).catch((error: unknown) => {
      if (error instanceof NobodyThereError) return null;
      throw error;
    });
  return async (userId: bigint) => cutHere(userId) ?? (await cutThere(callKey(userId))) ?? cutThere(personKey(userId));
}
