import * as v from "valibot";
import { candidateLengthMax, candidatesPerSignalMax, descriptionLengthMax } from "./limits.ts";

/** Peer signalling. `generation` counts the offers of a room, so that an answer to an older offer is dropped. */
const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000));
const sdp = v.pipe(v.string(), v.minLength(1), v.maxLength(descriptionLengthMax));

const candidateSchema = v.strictObject({
  candidate: v.pipe(v.string(), v.maxLength(candidateLengthMax)),
  sdpMid: v.nullable(v.pipe(v.string(), v.maxLength(64))),
  sdpMLineIndex: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(64))),
  usernameFragment: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(256)))),
});
export type Candidate = v.InferOutput<typeof candidateSchema>;

export const signalSchema = v.variant("type", [
  v.strictObject({ type: v.literal("offer"), generation, sdp }),
  v.strictObject({ type: v.literal("answer"), generation, sdp }),
  v.strictObject({
    type: v.literal("candidates"),
    generation,
    candidates: v.pipe(v.array(candidateSchema), v.maxLength(candidatesPerSignalMax)),
  }),
  /** The offerer is asked to restart ICE; only one side ever makes offers. */
  v.strictObject({ type: v.literal("restart"), generation }),
]);
export type Signal = v.InferOutput<typeof signalSchema>;
