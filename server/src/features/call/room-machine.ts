import { matchTimeoutMs, reconnectGiveUpMs, stallGiveUpMs } from "@fava/wire/limits.ts";
import type { MediaState } from "@fava/wire/socket.ts";

/**
 * The room of one match, from the pairing to its end.
 *
 * - `connecting`: both were told of the match. Ends when both pictures play (live), when the deadline passes
 *   (not_joined), or when one of them leaves.
 * - `live`: both have video. A side whose socket is lost has `reconnectGiveUpMs` to come back, and a side that says it
 *   gets no picture has `stallGiveUpMs`: the clock stands meanwhile, and must not stand for a whole call.
 * - `ended`: over for good, with its reason.
 */
export type Room =
  | {
      readonly kind: "connecting";
      readonly deadlineMs: number;
      readonly joined: PerSide<boolean>;
      readonly playing: PerSide<boolean>;
      /** Since when a side gets no picture from the other, as it said. */
      readonly stalledAtMs: PerSide<number | null>;
      readonly lostAtMs: PerSide<number | null>;
    }
  | { readonly kind: "live"; readonly stalledAtMs: PerSide<number | null>; readonly lostAtMs: PerSide<number | null> }
  | { readonly kind: "ended"; readonly reason: EndReason };

export type Side = "offerer" | "answerer";
type PerSide<Value> = { readonly [Which in Side]: Value };

/** How one person leaves a room on their own account. */
export type LeaveReason = "next" | "stop" | "left" | "lost" | "kicked" | "banned";
/** Why our checks end a room: what a picture shows, or that too few pictures came to be checked. */
export type CutReason = "violation" | "unchecked";
export type EndReason = LeaveReason | CutReason | "not_joined" | "restart";

/** Kinds of rows in `call_events`; never a text or a picture. */
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

export type RoomEvent =
  | { readonly type: "joined"; readonly side: Side }
  | { readonly type: "media"; readonly side: Side; readonly state: MediaState; readonly nowMs: number }
  | { readonly type: "leave"; readonly side: Side; readonly reason: LeaveReason }
  /** Our checks end the room because of this side's picture. */
  | { readonly type: "cut"; readonly side: Side; readonly reason: CutReason }
  /** The side's socket was lost, and is back. */
  | { readonly type: "lost"; readonly side: Side; readonly nowMs: number }
  | { readonly type: "returned"; readonly side: Side }
  | { readonly type: "tick"; readonly nowMs: number }
  | { readonly type: "restart" };

export type RoomEffect =
  | { readonly type: "record"; readonly kind: CallEventKind; readonly side: Side | null }
  | { readonly type: "relay-media"; readonly to: Side; readonly state: MediaState }
  | { readonly type: "connected" }
  /** Push 100_002 to this side. */
  | { readonly type: "tell-left"; readonly to: Side; readonly reason: "left" | "not_joined" | "restart" | "cut" }
  /** Push 100_006 type 2 to this side: its picture could not be checked. */
  | { readonly type: "tell-unchecked"; readonly to: Side }
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
const never: PerSide<number | null> = { offerer: null, answerer: null };
const sides: readonly Side[] = ["offerer", "answerer"];
/**
 * What the other hears of an end; of any other, that somebody left: whose pictures could not be checked has broken no
 * rule. A ban is never told apart from a cut.
 */
const toldReasons: { readonly [Reason in EndReason]?: "not_joined" | "restart" | "cut" } = {
  not_joined: "not_joined",
  restart: "restart",
  violation: "cut",
  banned: "cut",
};

export function openRoom(nowMs: number): Room {
  return {
    kind: "connecting",
    deadlineMs: nowMs + matchTimeoutMs,
    joined: neither,
    playing: neither,
    stalledAtMs: never,
    lostAtMs: never,
  };
}

export function otherSide(side: Side): Side {
  return side === "offerer" ? "answerer" : "offerer";
}

/** When the room wants its next tick, or null while nothing can run out. */
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

/** The whole life of a room: what it becomes, and what the service must do (source: protocol, steps 3 to 5). */
export function stepRoom(state: Room, event: RoomEvent): RoomStep {
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
    case "cut":
      return end(state, { reason: event.reason, leaver: event.side });
    case "lost":
      return {
        state: { ...state, lostAtMs: { ...state.lostAtMs, [event.side]: event.nowMs } },
        effects: [{ type: "record", kind: "lost", side: event.side }],
      };
    case "returned":
      if (state.lostAtMs[event.side] === null) return { state, effects: none };
      return {
        state: { ...state, lostAtMs: { ...state.lostAtMs, [event.side]: null } },
        effects: [{ type: "record", kind: "returned", side: event.side }],
      };
    case "tick":
      return tick(state, event.nowMs);
    case "restart":
      return end(state, { reason: "restart", leaver: null });
  }
}

type Open = Exclude<Room, { kind: "ended" }>;
type MediaEvent = Extract<RoomEvent, { type: "media" }>;

/** A room knows of joining only until it is live: by then both have. */
function join(state: Open, side: Side): { state: Open; effects: readonly RoomEffect[] } {
  if (state.kind === "live" || state.joined[side]) return { state, effects: none };
  return {
    state: { ...state, joined: { ...state.joined, [side]: true } },
    effects: [{ type: "record", kind: "joined", side }],
  };
}

function hear(state: Open, { side, state: media, nowMs }: MediaEvent): RoomStep {
  if (media === "playing") return play(state, side);
  if (media !== "stalled") return { state, effects: relay(side, media) };
  const stalledAtMs = { ...state.stalledAtMs, [side]: state.stalledAtMs[side] ?? nowMs };
  return { state: { ...state, stalledAtMs }, effects: relay(side, media) };
}

function play(before: Open, side: Side): RoomStep {
  const state = { ...before, stalledAtMs: { ...before.stalledAtMs, [side]: null } };
  if (state.kind === "live" || state.playing[side]) {
    return { state, effects: before.stalledAtMs[side] !== null ? [{ type: "record", kind: "resumed", side }] : none };
  }
  const playing = { ...state.playing, [side]: true };
  const record: RoomEffect = { type: "record", kind: "playing", side };
  if (!playing[otherSide(side)]) return { state: { ...state, playing }, effects: [record] };
  const live: Room = { kind: "live", stalledAtMs: state.stalledAtMs, lostAtMs: state.lostAtMs };
  return { state: live, effects: [record, { type: "connected" }, { type: "record", kind: "live", side: null }] };
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
  return end(state, { reason: "lost", leaver: dueOf(state, "offerer") === due ? "offerer" : "answerer" });
}

/** When the patience with one side of a live room ends. */
function dueOf({ lostAtMs, stalledAtMs }: Open, side: Side): number | null {
  const [lost, stalled] = [lostAtMs[side], stalledAtMs[side]];
  const dues = [lost === null ? [] : lost + reconnectGiveUpMs, stalled === null ? [] : stalled + stallGiveUpMs].flat();
  return dues.length === 0 ? null : Math.min(...dues);
}

/** Who leaves knows it; a lost one is told as well, for when it comes back. */
function end(state: Open, why: { reason: EndReason; leaver: Side | null }): RoomStep {
  const { reason, leaver } = why;
  const wasLive = state.kind === "live";
  const told = toldReasons[reason] ?? "left";
  const hears = (side: Side) => side !== leaver || reason === "lost";
  return {
    state: { kind: "ended", reason },
    effects: [
      { type: "record", kind: "ended", side: leaver },
      ...sides.filter(hears).map((to) => ({ type: "tell-left", to, reason: told }) as const),
      ...(reason === "unchecked" && leaver ? [{ type: "tell-unchecked", to: leaver } as const] : []),
      { type: "ended", reason, leaver, wasLive, joined: wasLive ? both : state.joined },
    ],
  };
}
