import { useEffect, useRef, useState } from "react";
import { imageUpload } from "@fava/wire/endpoints/images.ts";
import type { OwnImage } from "@fava/wire/images.ts";
import { upload } from "#lib/api/upload.ts";
import { type UploadProblem, uploadProblemOf } from "./upload-problem.ts";

export type UploadState =
  | { status: "idle" }
  /** `percent` counts what was sent, 0 to 100. */
  | { status: "sending"; percent: number }
  | { status: "failed"; problem: UploadProblem };

export interface Upload {
  readonly state: UploadState;
  /** Sends what `make` yields, and hands the stored picture to `use`; another one that is under way is given up. */
  readonly start: (make: () => Promise<File>) => Promise<void>;
  /** Tells why a file was not even sent. */
  readonly refuse: (error: unknown) => void;
  readonly stop: () => void;
}

/** One upload at a time, with its progress; it ends with the component (rule USER-50). */
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
        await use(await upload(imageUpload, sent, { onProgress, signal, quiet: true }));
        show({ status: "idle" });
      } catch (error) {
        if (owner.current === controller) fail(error);
      }
    },
  };
}
