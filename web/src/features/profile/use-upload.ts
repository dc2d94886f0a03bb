import { useEffect, useRef, useState } from "react";
import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import { imageUpload } from "@fava/wire/endpoints/images.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { upload } from "#lib/api/upload.ts";
import { formatSize } from "#lib/format-units.ts";
import { formatSpan } from "#lib/format.ts";
import type { Translate } from "#lib/i18n.ts";
import { type FileProblem, PhotoError, photoFileBytesMax } from "./photo-file.ts";

export type UploadState =
  | { status: "idle" }
  /** `percent`: the share of the file that was sent, 0 to 100. */
  | { status: "sending"; percent: number }
  | { status: "failed"; problem: UploadProblem };

export interface Upload {
  readonly state: UploadState;
  /** Uploads the file of `make`, and passes the stored image to `use`; aborts a pending upload. */
  readonly start: (make: () => Promise<File>) => Promise<void>;
  /** Shows why a file was not uploaded. */
  readonly refuse: (error: unknown) => void;
  readonly stop: () => void;
}

/** One upload at a time, with its progress; ends with the component. */
export function useUpload(userId: number, use: (image: OwnImage) => Promise<void>): Upload {
  const [state, setState] = useState<UploadState>({ status: "idle" });
  const owner = useRef<AbortController>(null);
  useEffect(() => () => owner.current?.abort(), []);

  function fail(error: unknown): void {
    const problem = uploadProblemOf(error);
    setState(problem === null ? { status: "idle" } : { status: "failed", problem });
  }

  return {
    state,
    refuse: fail,
    stop: () => owner.current?.abort(),
    async start(make) {
      owner.current?.abort();
      const controller = new AbortController();
      owner.current = controller;
      const { signal } = controller;
      const show = (next: UploadState) => {
        if (owner.current === controller) setState(next);
      };
      show({ status: "sending", percent: 0 });
      try {
        const file = await make();
        const onProgress = (fraction: number) => show({ status: "sending", percent: Math.round(fraction * 100) });
        const sent = { input: { user_id: userId }, file };
        await use(await upload(imageUpload, sent, { onProgress, signal }));
        show({ status: "idle" });
      } catch (error) {
        if (owner.current === controller) fail(error);
      }
    },
  };
}

/** Why an upload failed. */
export type UploadProblem =
  | { readonly kind: FileProblem | "full" | "failed" }
  | { readonly kind: "too-often"; readonly waitSeconds: number };

const slowDownSchema = v.object({ retry_after: v.number() });

/** The problem of a failed upload; null if the user stopped it. @throws any other error, which is a bug */
export function uploadProblemOf(error: unknown): UploadProblem | null {
  if (error instanceof PhotoError) return { kind: error.problem };
  if (!(error instanceof RequestFailure)) throw error;
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
      return t("photo.tooLarge", { size: formatSize(photoFileBytesMax) });
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

/** Rounded up, because a shorter wait would end in another rejection. */
function wholeMinutes(seconds: number): number {
  return seconds < 60 ? seconds : Math.ceil(seconds / 60) * 60;
}

/** Why an image was rejected, or "Incorrect content" for an unknown reason. */
export function refusalReason(t: Translate, image: OwnImage): string {
  const known = pictureReasonIds.find((id) => id === image.reason_id);
  return t(known === undefined ? "ban.reason.other" : `photo.rejected.${known}`);
}
