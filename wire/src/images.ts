import * as v from "valibot";

export const imageStatusSchema = v.picklist(["pending", "approved", "refused"]);

/** A picture as its owner sees it. */
export const ownImageSchema = v.object({
  id: v.string(),
  /** Addresses; of a picture that is not approved they open for a while only. */
  url: v.string(),
  thumb: v.string(),
  width: v.number(),
  height: v.number(),
  status: imageStatusSchema,
  /** Why it was refused: a ban reason id. */
  reason_id: v.nullable(v.number()),
});
export type OwnImage = v.InferOutput<typeof ownImageSchema>;
