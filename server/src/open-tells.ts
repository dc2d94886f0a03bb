import { busyPeople } from "#calls/busy-people.ts";
import type { Guests } from "#calls/guests.ts";
import type { MatchService } from "#calls/match-service.ts";
import type { DisposalStack } from "#lib/disposal-stack.ts";
import { MatchTells, type MatchTellsOptions } from "#people/match-tells.ts";
import type { ProfileService } from "#people/profile-service.ts";
import type { Bus } from "#ports/bus.ts";
import type { Peers } from "#ports/peers.ts";

interface TellParts extends Omit<MatchTellsOptions, "bus" | "people" | "isBusy"> {
  profiles: ProfileService;
  matches: MatchService;
  /** Null where this process is alone. */
  guests: Guests | null;
  bus: Bus;
  peers: Peers;
  disposal: DisposalStack;
}

/** People who asked to be told when somebody comes, and whom they are told of: the searches that this process has. */
export function openTells(parts: TellParts): MatchTells {
  const { profiles: people, matches, disposal } = parts;
  const tells = disposal.use(new MatchTells({ ...parts, people, isBusy: busyPeople(parts) }));
  matches.onWaited((search) => tells.waited(search));
  return tells;
}
