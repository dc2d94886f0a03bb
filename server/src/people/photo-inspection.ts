import type { Logger } from "pino";
import type { ImageReviewReason } from "@fava/wire/images.ts";
import { nudityReasonId } from "@fava/wire/moderation.ts";
import { measure, readPixels } from "#lib/picture-pixels.ts";
import { type FrameClassifier, frameModels, type FrameScores, type FrameVerdict } from "#ports/frame-classifier.ts";

export interface PhotoInspection {
  /** Perceptual hash: 64 bits as 16 hex digits. */
  readonly phash: string;
  readonly models: ModelsResult;
}

/** `off`: an operator switched the models off. `failed`: the classifier failed. Scores are from 0 to 1. */
type ModelsResult =
  | { readonly kind: "off" }
  | { readonly kind: "failed" }
  | {
      readonly kind: "judged";
      readonly explicit: number;
      /** Explicit content is drawn. The models judge drawings less reliably. */
      readonly isDrawn: boolean;
      readonly sexy: number;
      readonly hasCode: boolean;
    };

export interface TimedInspection {
  readonly inspection: PhotoInspection;
  readonly processorMs: number;
}

export class PhotoInspector {
  readonly #classifier: FrameClassifier | null;
  readonly #logger: Pick<Logger, "warn">;

  constructor(classifier: FrameClassifier | null, logger: Pick<Logger, "warn">) {
    this.#classifier = classifier;
    this.#logger = logger;
  }

  /** Measures and judges a picture. If the classifier fails, a moderator reviews the picture (rule IMG-61). */
  async inspect(webp: Buffer): Promise<TimedInspection> {
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
      this.#logger.warn({ err: error }, "failed to classify an upload; a moderator will review it");
      return "failed";
    }
  }
}

function meanOver({ scores }: FrameVerdict, share: (scores: FrameScores) => number): number {
  const shares = frameModels.flatMap((model) => (scores[model] ? [share(scores[model])] : []));
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
}

type PictureRuling =
  | { readonly status: "pending"; readonly why: ImageReviewReason }
  | { readonly status: "refused"; readonly why: ImageReviewReason; readonly reasonId: number };

interface RulingFacts {
  readonly inspection: PhotoInspection;
  readonly nearest: { readonly distance: number; readonly reasonId: number } | null;
  readonly isShadow: boolean;
  /** Chosen at random, so that moderators see a fair sample of harmless pictures. */
  readonly isSample: boolean;
}

/** Thresholds for scores from 0 to 1, chosen before moderators' decisions could confirm them. */
const explicitRefused = 0.6;
const explicitUnsure = 0.4;
const sexyUnsure = 0.8;
/** How many of 64 bits of the perceptual hash may differ. */
const sameMax = 8;
const alikeMax = 14;

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
