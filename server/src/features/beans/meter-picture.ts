import type { CallEventKind, Side } from "#features/call/service.ts";
import type { Stop } from "./meter-state.ts";

/** What is known of one side's picture and connection. */
interface SideFacts {
  /** It gets no picture from the other. */
  readonly stalled: boolean;
  readonly lost: boolean;
  readonly cameraOff: boolean;
  readonly away: boolean;
}

export type CallPicture = { readonly [Which in Side]: SideFacts };

const clear: SideFacts = { stalled: false, lost: false, cameraOff: false, away: false };

export const clearPicture: CallPicture = { offerer: clear, answerer: clear };

const changes: Partial<Record<CallEventKind, Partial<SideFacts>>> = {
  playing: { stalled: false },
  resumed: { stalled: false },
  stalled: { stalled: true },
  lost: { lost: true },
  returned: { lost: false },
  camera_off: { cameraOff: true },
  camera_on: { cameraOff: false },
  away: { away: true },
  back: { away: false },
};

/** The picture after something happened on one side of the call; the same object where it changes nothing. */
export function stepPicture(picture: CallPicture, kind: CallEventKind, side: Side): CallPicture {
  const change = changes[kind];
  return change ? { ...picture, [side]: { ...picture[side], ...change } } : picture;
}

/** Why the clock of this side stands: the own camera does not stop it, the other's does (rule BEANS-263). */
export function stopFor(picture: CallPicture, payer: Side): Stop | null {
  const { offerer, answerer } = picture;
  if ([offerer, answerer].some((facts) => facts.stalled || facts.lost)) return "reconnecting";
  const other = payer === "offerer" ? answerer : offerer;
  return other.cameraOff || other.away ? "camera_off" : null;
}
