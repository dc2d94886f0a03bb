import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { formatSpan } from "#lib/format.ts";
import { formatSize } from "#lib/format-size.ts";
import type { Translate } from "#lib/i18n.ts";
import { type FileProblem, PictureError, pictureFileBytesMax } from "./picture-file.ts";

/** Why a picture did not become one's own. */
export type UploadProblem =
  | { readonly kind: FileProblem | "full" | "failed" }
  | { readonly kind: "too-often"; readonly waitSeconds: number };

const slowDownSchema = v.object({ retry_after: v.number() });

/** What is told of a failed upload; null when the person stopped it. @throws what is a fault of ours. */
export function uploadProblemOf(error: unknown): UploadProblem | null {
  if (error instanceof PictureError) return { kind: error.problem };
  if (!(error instanceof CallFailure)) throw error;
  if (error.reason === "aborted") return null;
  if (error.reason === "image_unreadable") return { kind: "unreadable" };
  if (error.reason === "too_many") return { kind: "full" };
  if (error.code === codes.tooLarge) return { kind: "too-large" };
  const slowDown = v.safeParse(slowDownSchema, error.data);
  if (error.code !== codes.slowDown || !slowDown.success) return { kind: "failed" };
  return { kind: "too-often", waitSeconds: slowDown.output.retry_after };
}

export function uploadProblemText(t: Translate, problem: UploadProblem): string {
  switch (problem.kind) {
    case "not-image":
      return t("photo.notImage");
    case "too-large":
      return t("photo.tooLarge", { size: formatSize(pictureFileBytesMax) });
    case "unreadable":
      return t("photo.unreadable");
    case "full":
      return t("photo.full");
    case "too-often":
      return t("photo.tooOften", { time: formatSpan(wholeMinutes(problem.waitSeconds)) });
    case "failed":
      return t("photo.failed");
  }
}

/** A wait that is shortened on the page would end in another refusal. */
function wholeMinutes(seconds: number): number {
  return seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
}
