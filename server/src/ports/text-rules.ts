import type { textFindingSchema } from "@fava/wire/endpoints/messages.ts";
import type * as v from "valibot";

export type TextFinding = v.InferOutput<typeof textFindingSchema>;
export type TextPlace = "message" | "nickname" | "about" | "location";

/** What may not be written (rules TEXT-*): ways to be reached outside, and numbers of cards and accounts. */
export interface TextRules {
  findings(text: string): readonly TextFinding[];
  /**
   * Lets a text pass, or writes down that it was stopped; the text itself is not kept.
   *
   * @throws CallError 406 `personal_data` with `findings` and `field`.
   */
  require(userId: bigint, text: string, place: TextPlace): Promise<void>;
}
