import { signatureWindowMs } from "@fava/wire/limits.ts";

/** The result of one check of an installation. */
export interface Finding {
  /** `harm`: users would notice it. `doubt`: the operator should check it. */
  readonly kind: "fine" | "doubt" | "harm";
  /** A sentence for the operator: what is wrong, and how to fix it. */
  readonly sentence: string;
}

export const fine = (sentence: string): Finding => ({ kind: "fine", sentence });
export const doubt = (sentence: string): Finding => ({ kind: "doubt", sentence });
export const harm = (sentence: string): Finding => ({ kind: "harm", sentence });

const clockDoubtMs = 1_000;
/** Well before the server refuses browsers' signed requests, and before short-lived TURN credentials end early. */
const clockHarmMs = signatureWindowMs / 10;

/** The least difference of two clocks, however the round trip is divided between request and response. */
export function judgeClock(whose: string, theirsMs: number, our: { askedMs: number; answeredMs: number }): Finding {
  const apartMs = Math.max(0, our.askedMs - theirsMs, theirsMs - our.answeredMs);
  const seconds = (apartMs / 1_000).toFixed(1);
  if (apartMs < clockDoubtMs) return fine(`Clock: those of ${whose} and this machine agree.`);
  const advice = "Synchronize the time of all machines over the network: timedatectl set-ntp true.";
  const sentence = `Clock: those of ${whose} and this machine are ${seconds} s apart. ${advice}`;
  return apartMs < clockHarmMs ? doubt(sentence) : harm(sentence);
}
