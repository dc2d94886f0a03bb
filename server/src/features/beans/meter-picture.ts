import type { RoomFact, Side } from "#features/call/service.ts";
import type { Stop } from "./meter-state.ts";

/** What is known of one side's picture and connection. */
interface SideFacts {
  /** It gets no picture from the other. */
  readonly stalled: boolean;
  readonly lost: boolean;
  readonly cameraOff: boolean;
  readonly away: boolean;
  /** Its picture is kept from the other. */
  readonly hidden: boolean;
}

export type CallPicture = { readonly [Which in Side]: SideFacts };

const clear: SideFacts = { stalled: false, lost: false, cameraOff: false, away: false, hidden: false };

export const clearPicture: CallPicture = { offerer: clear, answerer: clear };

const changes: Partial<Record<RoomFact["kind"], Partial<SideFacts>>> = {
  playing: { stalled: false },
  resumed: { stalled: false },
  stalled: { stalled: true },
  lost: { lost: true },
  returned: { lost: false },
  camera_off: { cameraOff: true },
  camera_on: { cameraOff: false },
  away: { away: true },
  back: { away: false },
  hidden: { hidden: true },
  shown: { hidden: false },
};

/** The picture after something happened on one side of the call; the same object where it changes nothing. */
export function stepPicture(picture: CallPicture, kind: RoomFact["kind"], side: Side): CallPicture {
  const change = changes[kind];
  return change ? { ...picture, [side]: { ...picture[side], ...change } } : picture;
}

/**
 * Why the clock of this side stands: what is wrong with the own picture does not stop it, what is wrong with the other's
 * does (rule BEANS-263), also where our checks keep it hidden.
 */
export function stopFor(picture: CallPicture, payer: Side): Stop | null {
  const { offerer, answerer } = picture;
  if ([offerer, answerer].some((facts) => facts.stalled || facts.lost)) return "reconnecting";
  const other = payer === "offerer" ? answerer : offerer;
  if (other.cameraOff || other.away) return "camera_off";
  return other.hidden ? "blurred" : null;
}
