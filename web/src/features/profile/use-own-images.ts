import { useCallback, useEffect, useRef, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { newPhoto } from "@fava/wire/endpoints/images.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";

export type OwnImages = OutputOf<typeof newPhoto>;

export interface OwnImagesView {
  /** Undefined until they have arrived. */
  readonly images: OwnImages | undefined;
  /** They could not be loaded. */
  readonly failed: boolean;
  readonly reload: () => void;
  /**
   * Shows `expected` at once and then what the server answers; on failure what it really has. Of changes that overtake
   * each other the last one's answer counts. Answers whether it succeeded.
   */
  readonly change: (run: () => Promise<OwnImages>, expected?: OwnImages) => Promise<boolean>;
}

/** The own pictures with the state of their review, fetched anew whenever the server said that the person changed. */
export function useOwnImages(user: OwnUser): OwnImagesView {
  const [images, setImages] = useState<OwnImages>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const changes = useRef(0);
  useEffect(() => {
    const owner = new AbortController();
    const before = changes.current;
    call(newPhoto, { user_id: user.user_id }, { quiet: true, signal: owner.signal }).then(
      (loaded) => {
        setFailed(false);
        if (before === changes.current) setImages(loaded);
      },
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") setFailed(true);
      },
    );
    return () => owner.abort();
  }, [user, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return {
    images,
    failed: failed && images === undefined,
    reload,
    async change(run, expected) {
      changes.current += 1;
      const own = changes.current;
      if (expected) setImages(expected);
      try {
        const answer = await run();
        if (own === changes.current) setImages(answer);
        return true;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        reload();
        return false;
      }
    },
  };
}
