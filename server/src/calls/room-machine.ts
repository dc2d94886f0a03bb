import {
  callReturnsMax,
  matchTimeoutMs,
  reconnectGiveUpMs,
  serverLostGiveUpMs,
  stallGiveUpMs,
} from "@fava/wire/limits.ts";
import type { UncheckedCause } from "@fava/wire/pushes.ts";
import type { MediaState, PeerState } from "@fava/wire/socket.ts";

/**
 * The room of one match, from the pairing to its end.
 *
 * - `connecting`: both users were told of the match. Becomes `live` when both have video. Ends at the deadline
 *   (`not_joined`), or when a user leaves.
 * - `live`: both have video. A side whose socket or page is lost has `reconnectGiveUpMs` to return. A side that reports
 *   no video has `stallGiveUpMs`: the meter's clock stands meanwhile, and must not stand for a whole call. A socket
 *   reconnects by itself; a page returns only if its user wants to, at most `callReturnsMax` times. After the room's
 *   server has died, both sides have `serverLostGiveUpMs` to find another one.
 * - `ended`: final, with its reason.
 */
export type Room =
  | {
      readonly kind: "connecting";
      readonly deadlineMs: number;
      readonly joined: PerSide<boolean>;
      readonly playing: PerSide<boolean>;
      /** Since when a side reports that it gets no video; null while it gets video. */
      readonly stalledAtMs: PerSide<number | null>;
      readonly lost: PerSide<Loss | null>;
    }
  | {
      readonly kind: "live";
      readonly sinceMs: number;
      readonly stalledAtMs: PerSide<number | null>;
      readonly lost: PerSide<Loss | null>;
      readonly returns: PerSide<number>;
    }
  | { readonly kind: "ended"; readonly reason: EndReason };

export type Side = "offerer" | "answerer";
type PerSide<Value> = { readonly [Which in Side]: Value };
/** `of`: what the side has lost. */
interface Loss {
  readonly atMs: number;
  readonly of: "socket" | "page" | "process";
}

export type LeaveReason = "next" | "stop" | "left" | "lost" | "kicked" | "banned";
/** Why our checks ended a room: a violation, or because no frame of one side could be judged. */
export type Cut = { readonly reason: "violation" } | ({ readonly reason: "unchecked" } & Unchecked);
/** `returned`: beans that each side gets back. */
interface Unchecked {
  readonly cause: UncheckedCause;
  readonly returned: PerSide<number>;
}
export type EndReason = LeaveReason | Cut["reason"] | "not_joined" | "restart";

/** Kinds of stored events. None has a text or a frame. */
export type CallEventKind =
  | Exclude<MediaState, "playing">
  | "matched"
  | "joined"
  | "playing"
  | "live"
  | "resumed"
  | "lost"
  | "returned"
  | "ended";

export type RoomInput =
  | { readonly type: "joined"; readonly side: Side }
  | { readonly type: "media"; readonly side: Side; readonly state: MediaState; readonly nowMs: number }
  | { readonly type: "leave"; readonly side: Side; readonly reason: LeaveReason }
  /** Our checks end the room because of this side's video. */
  | { readonly type: "cut"; readonly side: Side; readonly cut: Cut }
  | { readonly type: "lost"; readonly side: Side; readonly nowMs: number }
  | { readonly type: "returned"; readonly side: Side }
  /** `page-gone`: the side's page is lost. `page-back`: the user returns, perhaps with another page. */
  | { readonly type: "page-gone"; readonly side: Side; readonly nowMs: number }
  | { readonly type: "page-back"; readonly side: Side; readonly nowMs: number }
  | { readonly type: "tick"; readonly nowMs: number }
  | { readonly type: "restart" }
  /** Another server owns the room, or it is over. This server ends it without telling the users. */
  | { readonly type: "taken-over" };

export type RoomEffect =
  | { readonly type: "record"; readonly kind: Exclude<CallEventKind, "matched">; readonly side: Side | null }
  | { readonly type: "relay-media"; readonly to: Side; readonly state: PeerState }
  | { readonly type: "connected" }
  /** Push the match to both users again, so that they start a new connection with this side's new page. */
  | { readonly type: "renew"; readonly side: Side }
  | {
      readonly type: "tell-left";
      readonly to: Side;
      readonly reason: "left" | "not_joined" | "restart" | "cut";
      readonly unchecked?: { readonly cause: UncheckedCause; readonly returned: number };
    }
  /** Push 100_006 type 2 to this side, whose video no frame could check. */
  | { readonly type: "tell-unchecked"; readonly to: Side; readonly cause: UncheckedCause; readonly returned: number }
  | {
      readonly type: "ended";
      readonly reason: EndReason;
      readonly leaver: Side | null;
      readonly wasLive: boolean;
      readonly joined: PerSide<boolean>;
    };

export interface RoomStep {
  readonly state: Room;
  readonly effects: readonly RoomEffect[];
}

const none: readonly RoomEffect[] = [];
const neither: PerSide<boolean> = { offerer: false, answerer: false };
const both: PerSide<boolean> = { offerer: true, answerer: true };
const never: PerSide<null> = { offerer: null, answerer: null };
const sides: readonly Side[] = ["offerer", "answerer"];
/** The reason that the partner is told if it is not `left`. A ban looks like a cut. */
const toldReasons: { readonly [Reason in EndReason]?: "not_joined" | "restart" | "cut" } = {
  not_joined: "not_joined",
  restart: "restart",
  violation: "cut",
  unchecked: "cut",
  banned: "cut",
};

export function openRoom(nowMs: number): Room {
  return {
    kind: "connecting",
    deadlineMs: nowMs + matchTimeoutMs,
    joined: neither,
    playing: neither,
    stalledAtMs: never,
    lost: never,
  };
}

/** A live room of a dead server, adopted at `nowMs`. It waits for both sides. */
export function adoptedRoom({ liveSinceMs, nowMs }: { liveSinceMs: number; nowMs: number }): Room {
  const loss: Loss = { atMs: nowMs, of: "process" };
  return {
    kind: "live",
    sinceMs: liveSinceMs,
    stalledAtMs: never,
    lost: { offerer: loss, answerer: loss },
    returns: { offerer: 0, answerer: 0 },
  };
}

export function otherSide(side: Side): Side {
  return side === "offerer" ? "answerer" : "offerer";
}

/** When the room needs its next tick; null if no deadline runs. */
export function roomDueMs(state: Room): number | null {
  switch (state.kind) {
    case "connecting":
      return state.deadlineMs;
    case "live": {
      const dues = sides.flatMap((side) => dueOf(state, side) ?? []);
      return dues.length === 0 ? null : Math.min(...dues);
    }
    case "ended":
      return null;
  }
}

export function stepRoom(state: Room, event: RoomInput): RoomStep {
  if (state.kind === "ended") return { state, effects: none };
  switch (event.type) {
    case "joined":
      return join(state, event.side);
    case "media": {
      const joined = join(state, event.side);
      const heard = hear(joined.state, event);
      return { state: heard.state, effects: [...joined.effects, ...heard.effects] };
    }
    case "leave":
      return end(state, { reason: event.reason, leaver: event.side });
    case "cut":
      return event.cut.reason === "violation"
        ? end(state, { reason: "violation", leaver: event.side })
        : uncheckedEnd(state, event.side, event.cut);
    case "lost":
      // A side that is away may lose another socket, of a page that has not returned to the call yet.
      return state.lost[event.side]
        ? { state, effects: none }
        : lose(state, event.side, { atMs: event.nowMs, of: "socket" });
    case "returned":
      return state.lost[event.side]?.of === "socket"
        ? { state: withLoss(state, event.side, null), effects: toldOf(event.side, "returned") }
        : { state, effects: none };
    case "page-gone":
      return pageGone(state, event);
    case "page-back":
      return pageBack(state, event);
    case "tick":
      return tick(state, event.nowMs);
    case "restart":
      return end(state, { reason: "restart", leaver: null });
    case "taken-over": {
      const { state: ended, effects } = end(state, { reason: "restart", leaver: null });
      return { state: ended, effects: effects.filter(({ type }) => type === "ended") };
    }
  }
}

type Open = Exclude<Room, { kind: "ended" }>;
type MediaEvent = Extract<RoomInput, { type: "media" }>;

/** Before a room is live, both users have joined. */
function join(state: Open, side: Side): { state: Open; effects: readonly RoomEffect[] } {
  if (state.kind === "live" || state.joined[side]) return { state, effects: none };
  return {
    state: { ...state, joined: { ...state.joined, [side]: true } },
    effects: [{ type: "record", kind: "joined", side }],
  };
}

function hear(state: Open, { side, state: media, nowMs }: MediaEvent): RoomStep {
  if (media === "playing") return play(state, side, nowMs);
  if (media !== "stalled") return { state, effects: relay(side, media) };
  const stalledAtMs = { ...state.stalledAtMs, [side]: state.stalledAtMs[side] ?? nowMs };
  return { state: { ...state, stalledAtMs }, effects: relay(side, media) };
}

function play(before: Open, side: Side, nowMs: number): RoomStep {
  const state = { ...before, stalledAtMs: { ...before.stalledAtMs, [side]: null } };
  if (state.kind === "live" || state.playing[side]) {
    return { state, effects: before.stalledAtMs[side] !== null ? [{ type: "record", kind: "resumed", side }] : none };
  }
  const playing = { ...state.playing, [side]: true };
  const record: RoomEffect = { type: "record", kind: "playing", side };
  if (!playing[otherSide(side)]) return { state: { ...state, playing }, effects: [record] };
  const { stalledAtMs, lost } = state;
  const live: Room = { kind: "live", sinceMs: nowMs, stalledAtMs, lost, returns: { offerer: 0, answerer: 0 } };
  return { state: live, effects: [record, { type: "connected" }, { type: "record", kind: "live", side: null }] };
}

/** Whether the user's page was closed or left, so that another page may return. */
export function isPageGone(state: Room, side: Side): boolean {
  return lossOf(state, side) === "page";
}

/** Whether the room was adopted and the user's page has not come to this server yet. */
export function isAwaited(state: Room, side: Side): boolean {
  return lossOf(state, side) === "process";
}

function lossOf(state: Room, side: Side): Loss["of"] | null {
  return state.kind === "live" ? (state.lost[side]?.of ?? null) : null;
}

/** Whether only a page's report ends the loss, not a reconnected socket. */
function isPageLoss(loss: Loss | null): boolean {
  return loss !== null && loss.of !== "socket";
}

/** Milliseconds in which a lost page may still return to its call; null if it is connected or may not return. */
export function returnLeftMs(state: Room, side: Side, nowMs: number): number | null {
  if (state.kind !== "live" || !state.lost[side] || state.returns[side] >= callReturnsMax) return null;
  return Math.max(0, (dueOf(state, side) ?? nowMs) - nowMs);
}

/** Before the room is live, a lost page ends it. */
function pageGone(state: Open, { side, nowMs }: Extract<RoomInput, { type: "page-gone" }>): RoomStep {
  if (state.kind === "connecting" || state.returns[side] >= callReturnsMax) {
    return end(state, { reason: "left", leaver: side });
  }
  const before = state.lost[side];
  if (before?.of === "process") return { state, effects: none };
  if (before) return { state: withLoss(state, side, { ...before, of: "page" }), effects: none };
  return lose(state, side, { atMs: nowMs, of: "page" });
}

/**
 * The side counts as stalled until its new page reports video, so that the partner's meter pauses. A return after a
 * failover does not count as one of the user's returns.
 */
function pageBack(state: Open, { side, nowMs }: Extract<RoomInput, { type: "page-back" }>): RoomStep {
  const loss = state.lost[side];
  if (state.kind !== "live" || !loss || !isPageLoss(loss)) return { state, effects: none };
  const isOwnReturn = loss.of === "page";
  const isOtherAwaited = state.lost[otherSide(side)]?.of === "process";
  return {
    state: {
      ...state,
      lost: { ...state.lost, [side]: null },
      stalledAtMs: { ...state.stalledAtMs, [side]: state.stalledAtMs[side] ?? nowMs },
      returns: { ...state.returns, [side]: state.returns[side] + (isOwnReturn ? 1 : 0) },
    },
    effects: [
      ...(isOtherAwaited ? none : [{ type: "renew", side } as const]),
      { type: "record", kind: "stalled", side },
      { type: "record", kind: "returned", side },
    ],
  };
}

function lose(state: Open, side: Side, loss: Loss): RoomStep {
  return { state: withLoss(state, side, loss), effects: toldOf(side, "lost") };
}

function withLoss(state: Open, side: Side, loss: Loss | null): Open {
  return { ...state, lost: { ...state.lost, [side]: loss } };
}

function toldOf(side: Side, state: "lost" | "returned"): readonly RoomEffect[] {
  return [
    { type: "record", kind: state, side },
    { type: "relay-media", to: otherSide(side), state },
  ];
}

function relay(side: Side, state: Exclude<MediaState, "playing">): readonly RoomEffect[] {
  return [
    { type: "record", kind: state, side },
    { type: "relay-media", to: otherSide(side), state },
  ];
}

function tick(state: Open, nowMs: number): RoomStep {
  const due = roomDueMs(state);
  if (due === null || nowMs < due) return { state, effects: none };
  if (state.kind === "connecting") return end(state, { reason: "not_joined", leaver: null });
  const leaver = dueOf(state, "offerer") === due ? "offerer" : "answerer";
  // If both sides are away, neither of them left. If the other one is back, this one left.
  if (state.lost[leaver]?.of === "process")
    return end(state, { reason: "restart", leaver: state.lost[otherSide(leaver)]?.of === "process" ? null : leaver });
  // Not returning in time counts as leaving.
  return end(state, { reason: state.lost[leaver]?.of === "page" ? "left" : "lost", leaver });
}

function dueOf({ lost, stalledAtMs }: Open, side: Side): number | null {
  const [loss, stalled] = [lost[side], stalledAtMs[side]];
  const dues = [
    loss === null ? [] : loss.atMs + (loss.of === "process" ? serverLostGiveUpMs : reconnectGiveUpMs),
    stalled === null ? [] : stalled + stallGiveUpMs,
  ].flat();
  return dues.length === 0 ? null : Math.min(...dues);
}

/** Tells the partner of a side that left, but not the side itself. A side that was lost is told for its return. */
function end(state: Open, why: { reason: EndReason; leaver: Side | null }): RoomStep {
  const { reason, leaver } = why;
  const wasLive = state.kind === "live";
  const told = toldReasons[reason] ?? "left";
  const hears = (side: Side) => side !== leaver || reason === "lost" || reason === "restart";
  return {
    state: { kind: "ended", reason },
    effects: [
      { type: "record", kind: "ended", side: leaver },
      ...sides.filter(hears).map((to) => ({ type: "tell-left", to, reason: told }) as const),
      { type: "ended", reason, leaver, wasLive, joined: wasLive ? both : state.joined },
    ],
  };
}

function uncheckedEnd(state: Open, side: Side, { cause, returned }: Unchecked): RoomStep {
  const ended = end(state, { reason: "unchecked", leaver: side });
  const effects = ended.effects.flatMap((effect): readonly RoomEffect[] => {
    if (effect.type !== "tell-left") return [effect];
    const { to } = effect;
    return [
      { ...effect, unchecked: { cause, returned: returned[to] } },
      { type: "tell-unchecked", to: side, cause, returned: returned[side] },
    ];
  });
  return { state: ended.state, effects };
}
