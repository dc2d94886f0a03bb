import { unavailable } from "#lib/errors.ts";
import type { UnwrittenCall, UnwrittenCalls } from "#ports/directory.ts";
import { NoOwnerError, type PeerKey, type Peers, personKey } from "#ports/peers.ts";
import type { CallService } from "./room-service.ts";

interface UnwrittenCallsParts {
  calls: Pick<CallService, "unwrittenOf">;
  peers: Pick<Peers, "ask" | "serve">;
}

const retrySeconds = 1;

/** Asks the servers of two users for their calls that `CallStore` has not written yet. */
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
      // A call is at the home of one of its two users, or of both.
      const keys = [personKey(one), personKey(other)];
      const answers = await Promise.all(keys.map((key) => ask(key, one)));
      const found = answers.flatMap((calls) => calls ?? []).filter(isWithOther);
      // If one server does not respond, calls found at the other one suffice.
      if (found.length === 0 && answers.includes(null)) throw unavailable(retrySeconds);
      return found;
    },
  };
}
