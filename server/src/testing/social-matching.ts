import { pino } from "pino";
import { DirectMedia } from "#adapters/media/direct-media.ts";
import { MatchService } from "#calls/match-service.ts";
import { CallService } from "#calls/room-service.ts";
import { MemoryCallLog } from "./match-world.ts";
import { passingLines } from "./passing-lines.ts";
import { seededRandom } from "./random.ts";
import type { SocialWorld } from "./social-world.ts";

/** Matching over the stored blocks and wishes of a world, as the composition root wires it. */
export function matchingOver({ bus, clock, social }: SocialWorld) {
  const log = new MemoryCallLog();
  const media = new DirectMedia({ stunUrls: [], clock });
  const calls = new CallService({ bus, media, log, lines: passingLines, clock, random: seededRandom(2), roomsMax: 10 });
  const country = { country_id: 18, country_name: "", country_flag: "" };
  const card = { nickname: "", avatar: "", sex: 1, ...country } as const;
  const matches = new MatchService({
    bus,
    calls,
    people: {
      matchFacts: async () => ({ sex: 1, countryId: 18, zone: 1, complete: true }),
      remoteUser: async (userId) => ({ user_id: Number(userId), external_id: `ext-${userId}`, ...card }),
    },
    bars: social.blocks,
    wishes: social,
    gate: { standing: async () => ({ pausedUntil: null, isNew: false }), isChecking: () => true },
    allowances: { spendable: async () => ({ have: 0n, limit: "balance" }) },
    prices: { filterPrices: () => ({ gender: 0, country: 0, both: 0 }) },
    settings: { selectableCountryIds: [] },
    clock,
    logger: pino({ level: "silent" }),
    searchesMax: 10,
  });
  const parting = social.onBlocked((blockerId, blockedId) => matches.part(blockerId, blockedId));
  return {
    log,
    /** Presses start, and lets the pair, if there is one, be made. */
    start: async (userId: bigint, withUserId?: bigint): Promise<void> => {
      await matches.start({ userId, withUserId, language: "en", wish: { sex: 0, country: 0 }, offer: null });
      await new Promise((resolve) => setImmediate(resolve));
    },
    partnerOf: (userId: bigint) => calls.current(userId)?.match.user_Id ?? null,
    end: async (): Promise<void> => {
      parting[Symbol.dispose]();
      await matches[Symbol.asyncDispose]();
      calls.endAll();
    },
  };
}
