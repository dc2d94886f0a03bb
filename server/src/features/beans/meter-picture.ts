import type { RoomFact, Side } from "#features/call/service.ts";
import type { Pause } from "./meter-state.ts";

/** What is known of one side's picture and connection. */
interface SideFacts {
  /** It has said that it plays the other's picture. */
  readonly plays: boolean;
  /** It gets no picture from the other, as it says. */
  readonly stalled: boolean;
  readonly lost: boolean;
  readonly cameraOff: boolean;
  readonly away: boolean;
  /** Its picture is kept from the other; in doubt while nothing but the other's own word speaks against it. */
  readonly hidden: "no" | "in doubt" | "yes";
}

export type CallPicture = { readonly [Which in Side]: SideFacts };

const clear: SideFacts = {
  plays: false,
  stalled: false,
  lost: false,
  cameraOff: false,
  away: false,
  hidden: "no",
};

export const clearPicture: CallPicture = { offerer: clear, answerer: clear };

const changes: Partial<Record<RoomFact["kind"], Partial<SideFacts>>> = {
  playing: { plays: true, stalled: false },
  resumed: { stalled: false },
  stalled: { stalled: true },
  lost: { lost: true },
  returned: { lost: false },
  camera_off: { cameraOff: true },
  camera_on: { cameraOff: false },
  away: { away: true },
  back: { away: false },
  hidden: { hidden: "yes" },
  doubted: { hidden: "in doubt" },
  shown: { hidden: "no" },
};

/** The picture after something happened on one side of the call; the same object where it changes nothing. */
export function stepPicture(picture: CallPicture, kind: RoomFact["kind"], side: Side): CallPicture {
  const change = changes[kind];
  return change ? { ...picture, [side]: { ...picture[side], ...change } } : picture;
}

/**
 * Why the clock of this side stands, and whether nobody but the payer says so (rules BEANS-263, BEANS-273). What is wrong
 * with the own picture does not stop it, what is wrong with the other's does, also where our checks keep it hidden.
 */
export function pauseFor(picture: CallPicture, payer: Side): Pause | null {
  const self = picture[payer];
  const other = picture[payer === "offerer" ? "answerer" : "offerer"];
  if (other.stalled || other.lost) return { why: "reconnecting", byPayer: false };
  if (other.cameraOff || other.away) return { why: "camera_off", byPayer: false };
  if (other.hidden === "yes") return { why: "blurred", byPayer: false };
  if (self.stalled || self.lost) return { why: "reconnecting", byPayer: true };
  return other.hidden === "in doubt" ? { why: "blurred", byPayer: true } : null;
}
