import type { Logger } from "pino";
import type { ImageWhy } from "@fava/wire/images.ts";
import { nudityReasonId } from "@fava/wire/moderation.ts";
import { measure, readPixels } from "#lib/picture-pixels.ts";
import { type FrameClassifier, frameModels, type FrameScores, type FrameVerdict } from "#ports/frame-classifier.ts";

/** What is known of an upload before anybody looks at it. */
export interface PhotoInspection {
  /** Perceptual hash, 16 hex digits. */
  readonly phash: string;
  readonly models: ModelsLook;
}

/** `off`: an operator wants nobody to look; `failed`: they should have looked and could not. Shares are means, 0 to 1. */
type ModelsLook =
  | { readonly kind: "off" }
  | { readonly kind: "failed" }
  | {
      readonly kind: "judged";
      readonly explicit: number;
      /** What is explicit is drawn rather than photographed: of that the models know less. */
      readonly isDrawn: boolean;
      readonly sexy: number;
      readonly hasCode: boolean;
    };

/** What was found in an upload, and the milliseconds of a processor that its judge took in another process. */
export interface PhotoLook {
  readonly inspection: PhotoInspection;
  readonly processorMs: number;
}

/** Shows an upload to the models, and measures it. */
export class PhotoInspector {
  readonly #classifier: FrameClassifier | null;
  readonly #logger: Pick<Logger, "warn">;

  constructor(classifier: FrameClassifier | null, logger: Pick<Logger, "warn">) {
    this.#classifier = classifier;
    this.#logger = logger;
  }

  /** Never fails for what the models cannot do: then a person looks (rule IMG-61). */
  async inspect(webp: Buffer): Promise<PhotoLook> {
    const verdict = await this.#judge(webp);
    if (verdict === "off" || verdict === "failed") {
      const { phash } = measure(await readPixels(webp));
      return { inspection: { phash, models: { kind: verdict } }, processorMs: 0 };
    }
    const mean = (share: (scores: FrameScores) => number) => meanOver(verdict, share);
    const models = {
      kind: "judged",
      explicit: verdict.explicit,
      isDrawn: mean(({ hentai }) => hentai) > mean(({ porn }) => porn),
      sexy: mean(({ sexy }) => sexy),
      hasCode: verdict.code !== null,
    } as const;
    return { inspection: { phash: verdict.phash, models }, processorMs: verdict.processorMs ?? 0 };
  }

  async #judge(webp: Buffer): Promise<FrameVerdict | "off" | "failed"> {
    if (!this.#classifier) return "off";
    if (!this.#classifier.isReady()) return "failed";
    try {
      return await this.#classifier.classify(webp, { depth: "all", codes: true, priority: 2 });
    } catch (error) {
      this.#logger.warn({ err: error }, "an upload was not judged; a person will look");
      return "failed";
    }
  }
}

function meanOver({ scores }: FrameVerdict, share: (scores: FrameScores) => number): number {
  const shares = frameModels.flatMap((model) => (scores[model] ? [share(scores[model])] : []));
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
}

/** What becomes of an upload: it waits for a person, or is refused at once, for a picture reason. */
type PictureRuling =
  | { readonly status: "pending"; readonly why: ImageWhy }
  | { readonly status: "refused"; readonly why: ImageWhy; readonly reasonId: number };

interface RulingFacts {
  readonly inspection: PhotoInspection;
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

/** Decides about an upload by what was found (rules IMG-61 and IMG-62). */
export function ruleOn({ inspection: { models }, nearest, isShadow, isSample }: RulingFacts): PictureRuling {
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
