import type { Logger } from "pino";
import { MarkerFrames } from "#adapters/marker-frames/marker-frames.ts";
import { openOnnxFrames } from "#adapters/onnx-frames/open-onnx-frames.ts";
import type { Config } from "#config.ts";
import type { Clock } from "#ports/clock.ts";
import type { FrameClassifier } from "#ports/frame-classifier.ts";
import type { Random } from "#ports/random.ts";

/**
 * What looks at pictures of calls and profiles; null where an operator switched it off. Part of the composition root.
 *
 * @throws Error where production was configured with the classifier of the tests.
 */
export function chooseClassifier(
  { settings, dataDirectory }: Pick<Config, "settings" | "dataDirectory">,
  parts: { clock: Clock; random: Random; logger: Logger },
): FrameClassifier | null {
  switch (settings.moderation.mode) {
    case "off":
      return null;
    case "marker":
      if (settings.mode === "production") throw new Error("production was configured with marker pictures");
      return new MarkerFrames();
    case "auto":
      return openOnnxFrames({ ...parts, dataDirectory });
  }
}
