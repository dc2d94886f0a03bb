import type { Logger } from "pino";
import { type FrameClassifier, frameModels, type FrameScores, type FrameVerdict } from "#ports/frame-classifier.ts";
import { measure } from "#picture-measures.ts";
import { readPixels } from "#picture-pixels.ts";

/** What is known of an upload before anybody looks at it. */
export interface PictureLook {
  /** Perceptual hash, 16 hex digits. */
  readonly phash: string;
  readonly models: ModelsLook;
}

/** `off`: an operator wants nobody to look; `failed`: they should have looked and could not. Shares are means, 0 to 1. */
export type ModelsLook =
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

/** Shows an upload to the models, and measures it. */
export class PictureLooker {
  readonly #classifier: FrameClassifier | null;
  readonly #logger: Pick<Logger, "warn">;

  constructor(classifier: FrameClassifier | null, logger: Pick<Logger, "warn">) {
    this.#classifier = classifier;
    this.#logger = logger;
  }

  /** Never fails for what the models cannot do: then a person looks (rule IMG-61). */
  async look(webp: Buffer): Promise<PictureLook> {
    const verdict = await this.#judge(webp);
    if (verdict === "off" || verdict === "failed") {
      return { phash: measure(await readPixels(webp)).phash, models: { kind: verdict } };
    }
    const mean = (share: (scores: FrameScores) => number) => meanOver(verdict, share);
    return {
      phash: verdict.phash,
      models: {
        kind: "judged",
        explicit: verdict.explicit,
        isDrawn: mean(({ hentai }) => hentai) > mean(({ porn }) => porn),
        sexy: mean(({ sexy }) => sexy),
        hasCode: verdict.code !== null,
      },
    };
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
