import * as v from "valibot";
import { jsonText } from "./form.ts";
import { candidateLengthMax, candidatesPerSignalMax, descriptionLengthMax, descriptionLineEndsMax } from "./limits.ts";

/** Peer signalling. `generation` counts the offers of a room, so that an answer to an older offer is dropped. */
const generation = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1_000_000));
const fewLines = new RegExp(`^(?:[^\\r\\n\\0]*[\\r\\n]){0,${descriptionLineEndsMax}}[^\\r\\n\\0]*$`);
/** A session description, as long as browsers produce; not parsed before this check. */
export const descriptionSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(descriptionLengthMax),
  v.regex(fewLines, "has too many lines, or a NUL character"),
);

const candidateSchema = v.strictObject({
  candidate: jsonText(0, candidateLengthMax),
  sdpMid: v.nullable(jsonText(0, 64)),
  sdpMLineIndex: v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(64))),
  usernameFragment: v.optional(v.nullable(jsonText(0, 256))),
});
export type Candidate = v.InferOutput<typeof candidateSchema>;

export const signalSchema = v.variant("type", [
  v.strictObject({ type: v.literal("offer"), generation, sdp: descriptionSchema }),
  v.strictObject({ type: v.literal("answer"), generation, sdp: descriptionSchema }),
  v.strictObject({
    type: v.literal("candidates"),
    generation,
    candidates: v.pipe(v.array(candidateSchema), v.maxLength(candidatesPerSignalMax)),
  }),
  /** Asks the offerer to restart ICE; only one side ever makes offers. */
  v.strictObject({ type: v.literal("restart"), generation }),
]);
export type Signal = v.InferOutput<typeof signalSchema>;
