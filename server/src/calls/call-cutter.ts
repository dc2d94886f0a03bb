import type { CutCall } from "#ports/moderation.ts";
import { NoOwnerError, type PeerKey, type Peers, personKey, userOfKey } from "#ports/peers.ts";
import type { CallService } from "./room-service.ts";

/** Ends a user's call at this server, or else asks the user's home. */
export function callCutter(peers: Peers, calls: Pick<CallService, "current" | "cut">) {
  const cutHere = (userId: bigint): CutCall | null => {
    const current = calls.current(userId);
    if (!current) return null;
    calls.cut(userId);
    return { callId: current.match.roomId, otherId: BigInt(current.match.user_Id) };
  };
  peers.serve("cutCall", async (_input, key) => cutHere(userOfKey(key)));
  const cutThere = (key: PeerKey) =>
    peers.ask("cutCall", key, null).catch((error: unknown) => {
      if (error instanceof NoOwnerError) return null;
      throw error;
    });
  return async (userId: bigint) => cutHere(userId) ?? cutThere(personKey(userId));
}
