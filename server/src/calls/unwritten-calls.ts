import { unavailable } from "#lib/errors.ts";
import type { UnwrittenCall, UnwrittenCalls } from "#ports/directory.ts";
import { NoOwnerError, type PeerKey, type Peers, personKey } from "#ports/peers.ts";
import type { CallService } from "./room-service.ts";

interface UnwrittenCallsParts {
  calls: Pick<CallService, "unwrittenOf">;
  peers: Pick<Peers, "ask" | "serve">;
}

const retrySeconds = 1;

/** Asks the homes of two users for calls that the database does not have yet. */
export function unwrittenCalls({ calls, peers }: UnwrittenCallsParts): UnwrittenCalls {
  peers.serve("unwrittenCalls", async ({ userId }) => calls.unwrittenOf(userId));
  const ask = (key: PeerKey, userId: bigint): Promise<readonly UnwrittenCall[] | null> =>
    peers.ask("unwrittenCalls", key, { userId }).catch((error: unknown) => (error instanceof NoOwnerError ? [] : null));
  return {
    here: (userId) => calls.unwrittenOf(userId),
    between: async (one, other) => {
      const isWithOther = ({ otherId }: UnwrittenCall) => otherId === other;
      const here = calls.unwrittenOf(one).filter(isWithOther);
      if (here.length > 0) return here;
      // The room of a call is at the home of one of its two users.
      const keys = [personKey(one), personKey(other)];
      const answers = await Promise.all(keys.map((key) => ask(key, one)));
      const found = answers.flatMap((calls) => calls ?? []).filter(isWithOther);
      // If only one server responds, the calls that it has are enough.
      if (found.length === 0 && answers.includes(null)) throw unavailable(retrySeconds);
      return found;
    },
  };
}
