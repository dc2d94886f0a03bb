import * as v from "valibot";

export const imageStatusSchema = v.picklist(["pending", "approved", "refused"]);

/**
 * Why a moderator reviews a picture, most urgent first: it was reported, resembles a removed one, contains a code or
 * contact data, the models are unsure, it is a random sample, or it is new.
 */
export const imageReviewReasons = ["reported", "like_removed", "contact", "unsure", "random", "new"] as const;
export const imageReviewReasonSchema = v.picklist(imageReviewReasons);
export type ImageReviewReason = v.InferOutput<typeof imageReviewReasonSchema>;

/** A picture as its owner sees it. */
export const ownImageSchema = v.object({
  id: v.string(),
  /** Addresses; those of a picture that is not approved expire. */
  url: v.string(),
  thumb: v.string(),
  width: v.number(),
  height: v.number(),
  status: imageStatusSchema,
  /** Why the picture was refused: one of `pictureReasonIds`. */
  reason_id: v.nullable(v.number()),
});
export type OwnImage = v.InferOutput<typeof ownImageSchema>;
