import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Guests } from "#calls/guests.ts";
import type { MatchService } from "#calls/match-service.ts";
import type { CallService } from "#calls/room-service.ts";
import type { Database } from "#db/schema.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import { periodicBy } from "#lib/tasks.ts";
import type { MessageService } from "#people/message-service.ts";
import type { NotificationService } from "#people/notification-service.ts";
import { RingService } from "#people/ring-service.ts";
import type { SocialService } from "#people/social-service.ts";
import type { Bus } from "#ports/bus.ts";
import type { Clock } from "#ports/clock.ts";
import type { Leases } from "#ports/leases.ts";
import type { Peers } from "#ports/peers.ts";
import type { Random } from "#ports/random.ts";
import type { Limits } from "#ports/rate-limits.ts";

interface RingParts {
  db: Kysely<Database>;
  social: SocialService;
  messages: MessageService;
  notifications: NotificationService;
  matches: MatchService;
  calls: CallService;
  /** Null where this process is alone. */
  guests: Guests | null;
  bus: Bus;
  peers: Peers;
  limits: Limits;
  clock: Clock;
  random: Random;
  leases: Leases;
  logger: Logger;
  disposal: DisposalStack;
}

const ringsTidiedEveryMs = 30_000;

/** Friends who ring each other, over the searches and calls that this process has. */
export function openRings(parts: RingParts): RingService {
  const { social, matches, calls, guests, disposal } = parts;
  const filters = { sex: 0, country: 0 } as const;
  const rings = disposal.use(
    new RingService({
      ...parts,
      calls: {
        requireNoPause: (userId) => matches.requireNoPause(userId),
        isInCall: (userId) => calls.otherIn(userId) !== null || guests?.hostedWith(userId) != null,
        stop: (userId) => matches.stop(userId),
        start: (waits) => matches.start({ ...waits, filters }),
      },
    }),
  );
  // Where it was stored, and not at every process that hears of it.
  social.onBlockChanged(({ blockerId, blockedId, isBlocked }) => isBlocked && rings.blocked(blockerId, blockedId));
  periodicBy(parts, disposal)("rings", { pauseMs: () => ringsTidiedEveryMs, work: () => rings.tidy() });
  return rings;
}
