import type { ImageWhy } from "@fava/wire/images.ts";
import { nudityReasonId } from "@fava/wire/moderation.ts";
import type { PictureLook } from "./picture-look.ts";

/** What becomes of an upload: it waits for a person, or is refused at once, for a picture reason. */
export type PictureRuling =
  | { readonly status: "pending"; readonly why: ImageWhy }
  | { readonly status: "refused"; readonly why: ImageWhy; readonly reasonId: number };

export interface RulingFacts {
  readonly look: PictureLook;
  /** The removed picture that is the most like it. */
  readonly nearest: { readonly distance: number; readonly reasonId: number } | null;
  /** Software refuses nothing by itself: everything goes to a person. */
  readonly isShadow: boolean;
  /** Chosen by lot, so that moderators see a fair sample of what the models find harmless. */
  readonly isSample: boolean;
}

/** Initial values; what moderators decide is to correct them. */
const explicitRefused = 0.6;
const explicitUnsure = 0.4;
const sexyUnsure = 0.8;
/** Different bits of 64. */
const sameMax = 8;
const alikeMax = 14;

/** Decides about an upload by what was found (rules IMG-61 to IMG-64). */
export function ruleOn({ look: { models }, nearest, isShadow, isSample }: RulingFacts): PictureRuling {
  const distance = nearest?.distance ?? Infinity;
  if (nearest && distance <= sameMax && !isShadow) {
    return { status: "refused", why: "like_removed", reasonId: nearest.reasonId };
  }
  const isExplicit = models.kind === "judged" && models.explicit >= explicitRefused && !models.isDrawn;
  if (isExplicit && !isShadow) return { status: "refused", why: "unsure", reasonId: nudityReasonId };
  if (distance <= alikeMax) return { status: "pending", why: "like_removed" };
  if (models.kind === "failed") return { status: "pending", why: "unsure" };
  if (models.kind === "judged") {
    if (models.hasCode) return { status: "pending", why: "contact" };
    if (models.explicit >= explicitUnsure || models.sexy >= sexyUnsure) return { status: "pending", why: "unsure" };
  }
  return { status: "pending", why: isSample ? "random" : "new" };
}
