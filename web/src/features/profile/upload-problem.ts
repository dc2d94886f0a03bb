import { codes } from "@fava/wire/codes.ts";
import { imageBytesMax } from "@fava/wire/limits.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatSize } from "#lib/format-size.ts";
import type { Translate } from "#lib/i18n.ts";
import { type FileProblem, PictureError } from "./picture-file.ts";

/** Why a picture did not become one's own. */
export type UploadProblem = FileProblem | "full" | "too-often" | "failed";

/** What is told of a failed upload; null when the person stopped it. @throws what is a fault of ours. */
export function uploadProblemOf(error: unknown): UploadProblem | null {
  if (error instanceof PictureError) return error.problem;
  if (!(error instanceof CallFailure)) throw error;
  if (error.reason === "aborted") return null;
  if (error.reason === "image_unreadable") return "unreadable";
  if (error.reason === "too_many") return "full";
  if (error.code === codes.tooLarge) return "too-large";
  return error.code === codes.slowDown ? "too-often" : "failed";
}

export function uploadProblemText(t: Translate, problem: UploadProblem): string {
  switch (problem) {
    case "not-image":
      return t("photo.notImage");
    case "too-large":
      return t("photo.tooLarge", { size: formatSize(imageBytesMax) });
    case "unreadable":
      return t("photo.unreadable");
    case "full":
      return t("photo.full");
    case "too-often":
      return t("photo.tooOften");
    case "failed":
      return t("photo.failed");
  }
}
