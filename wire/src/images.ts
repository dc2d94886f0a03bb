import * as v from "valibot";

export const imageStatusSchema = v.picklist(["pending", "approved", "refused"]);

/**
 * Why a person looks at a picture, the urgent first: somebody reported it, it is like a removed one, it holds a code or
 * contact, the models are unsure, chance, or nothing but that it is new.
 */
export const imageWhys = ["reported", "like_removed", "contact", "unsure", "random", "new"] as const;
export const imageWhySchema = v.picklist(imageWhys);
export type ImageWhy = v.InferOutput<typeof imageWhySchema>;

/** A picture as its owner sees it. */
export const ownImageSchema = v.object({
  id: v.string(),
  /** Addresses; of a picture that is not approved they open for a while only. */
  url: v.string(),
  thumb: v.string(),
  width: v.number(),
  height: v.number(),
  status: imageStatusSchema,
  /** Why it was refused: one of `pictureReasonIds`. */
  reason_id: v.nullable(v.number()),
});
export type OwnImage = v.InferOutput<typeof ownImageSchema>;
