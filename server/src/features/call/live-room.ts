import { returnGenerationStep } from "@fava/wire/limits.ts";
import { type MatchedPush, pushCodes } from "@fava/wire/pushes.ts";
import type { RemoteUser } from "@fava/wire/people.ts";
import type { Clock } from "#ports/clock.ts";
import type { MediaRelay } from "#ports/media.ts";
import { type Random, randomId } from "#ports/random.ts";
import { relayOnlyDescription } from "./candidate-filter.ts";
import { LineDesk } from "./line-desk.ts";
import { SignalDesk } from "./signal-desk.ts";
import { type CallEventKind, type EndReason, openRoom, otherSide, type Room, type Side } from "./room-machine.ts";

/** One person of a pairing, as the matcher and the profile know them. */
export interface Matched {
  readonly userId: bigint;
  /** What a stranger sees of this person, in the language of the other. */
  readonly card: Omit<RemoteUser, "price">;
  /** Beans a minute that this call costs this person; fixed from here on. */
  readonly price: number;
  /** 0 where the minute after the first is not covered. */
  readonly isEnough: 0 | 1;
  /** When this person's search began, milliseconds since the epoch: the place to go back to. */
  readonly sinceMs: number;
}

export interface Pair {
  /** Whoever waited longer: makes every offer. */
  readonly offerer: Matched;
  readonly answerer: Matched;
  /** The offerer's prepared description, to be used this once. */
  readonly preparedOffer: string | null;
}

export interface Participant {
  readonly side: Side;
  readonly matched: Matched;
  /** Opens this room for this person only. */
  readonly token: string;
  /** What they were told last of the room. */
  push: MatchedPush;
  readonly lines: LineDesk;
  readonly signals: SignalDesk;
}

/** What the service holds of one running room. */
export interface LiveRoom {
  readonly id: string;
  readonly offerer: Participant;
  readonly answerer: Participant;
  readonly matchedAtMs: number;
  state: Room;
  /** For the next moment at which something runs out. */
  timer: Disposable | null;
  dueMs: number | null;
  eventsRecorded: number;
  /** How often the two began a new connection. */
  renewals: number;
}

/**
 * This side's picture is shown to the other, kept from them, or kept from them for nothing but what the other says to
 * have received.
 */
export type ShownFact = "shown" | "hidden" | "doubted";

/** Something that happened in a room, for those who count its time. */
export interface RoomFact {
  readonly id: string;
  /**
   * That the browsers have agreed, what is shown, and that a page is back, is known to listeners only, and not written
   * down.
   */
  readonly kind: CallEventKind | ShownFact | "answered" | "page_back";
  /** Whose doing it was; null for what concerns both. */
  readonly side: Side | null;
  readonly people: { readonly [Which in Side]: Matched };
}

/** A room that is over, for those who put people back to searching. */
export interface EndedRoom {
  readonly id: string;
  readonly reason: EndReason;
  readonly wasLive: boolean;
  /** Who left; null where it was nobody's doing. */
  readonly leaverId: bigint | null;
  readonly people: readonly [Matched, Matched];
  /** Those of them whose browser has shown that it knew of the match. */
  readonly joinedIds: ReadonlySet<bigint>;
}

/** The room of a pairing, with a token for each of the two and the push that tells them. */
export function openLiveRoom(pair: Pair, ports: { clock: Clock; media: MediaRelay; random: Random }): LiveRoom {
  const id = randomId(ports.random);
  const matchedAtMs = ports.clock.monotonicMs();
  const participant = (side: Side): Participant => ({
    side,
    matched: pair[side],
    ...invitation({ id, side, pair }, ports),
    lines: new LineDesk(matchedAtMs),
    signals: new SignalDesk(matchedAtMs),
  });
  return {
    id,
    offerer: participant("offerer"),
    answerer: participant("answerer"),
    matchedAtMs,
    state: openRoom(matchedAtMs),
    timer: null,
    dueMs: null,
    eventsRecorded: 0,
    renewals: 0,
  };
}

/** Both begin a new connection in the same room, with new credentials and offers that are told from the old ones. */
export function renewPushes(room: LiveRoom, { clock, media }: { clock: Clock; media: MediaRelay }): void {
  room.renewals += 1;
  const liveMs = room.state.kind === "live" ? Math.round(clock.monotonicMs() - room.state.sinceMs) : 0;
  for (const side of [room.offerer, room.answerer]) {
    const { iceServers } = media.credentialsFor(side.matched.card.external_id);
    side.push = {
      ...side.push,
      media: { ...side.push.media, iceServers, peerOffer: null },
      returned: { generation: room.renewals * returnGenerationStep, live_ms: liveMs },
    };
  }
}

function invitation(
  { id, side, pair }: { id: string; side: Side; pair: Pair },
  { media, random }: { media: MediaRelay; random: Random },
): { token: string; push: MatchedPush } {
  const token = randomId(random);
  const self = pair[side];
  const other = side === "offerer" ? pair.answerer : pair.offerer;
  const prepared = side === "answerer" ? pair.preparedOffer : null;
  const push: MatchedPush = {
    code: pushCodes.matched,
    roomId: id,
    token,
    user_Id: Number(other.userId),
    id,
    externalId: other.card.external_id,
    is_enough: self.isEnough,
    remote: { ...other.card, price: self.price },
    media: {
      kind: "p2p",
      role: side,
      iceServers: media.credentialsFor(self.card.external_id).iceServers,
      policy: media.policy,
      peerOffer: prepared !== null && media.policy === "relay" ? relayOnlyDescription(prepared) : prepared,
    },
    returned: null,
  };
  return { token, push };
}

/** The side of the room that this person has; they are in it. */
export function participantOf(room: LiveRoom, userId: bigint): Participant {
  return room.offerer.matched.userId === userId ? room.offerer : room.answerer;
}

/** The person on the other side. */
export function otherOf(room: LiveRoom, sender: Participant): Participant {
  return room[otherSide(sender.side)];
}
