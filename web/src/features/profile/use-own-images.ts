import { useEffect, useRef } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { newPhoto } from "@fava/wire/endpoints/images.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";

export type OwnImages = OutputOf<typeof newPhoto>;

export interface OwnImagesView {
  /** Undefined until they are loaded. */
  readonly images: OwnImages | undefined;
  /** The images could not be loaded. */
  readonly failed: boolean;
  readonly reload: () => void;
  /**
   * Runs a change. Shows `expected` at once, then the server's response; after a failure the server's state. While
   * changes overlap, the response to the last one is shown, and after all of them the server's state. Resolves to the
   * failure; null on success.
   */
  readonly change: (run: () => Promise<OwnImages>, expected?: OwnImages) => Promise<RequestFailure | null>;
}

/** The user's own images with their review state, loaded again whenever the server reports a change of the user. */
export function useOwnImages(user: OwnUser): OwnImagesView {
  const input = { user_id: user.user_id };
  const { queryKey } = endpointQuery(newPhoto, input);
  const { data: images, isError, refetch } = useEndpointQuery(newPhoto, input);
  const changes = useRef({ last: 0, running: 0, isUnsure: false });
  // The server has reported a change of the user: loads again, or shares a pending request.
  useEffect(() => void refetch(), [user, refetch]);
  return {
    images,
    failed: isError && images === undefined,
    reload: () => void refetch(),
    async change(run, expected) {
      const all = changes.current;
      all.last += 1;
      const own = all.last;
      all.isUnsure ||= all.running > 0;
      all.running += 1;
      // A pending request to load may return the state before this change.
      void queryClient.cancelQueries({ queryKey });
      if (expected) queryClient.setQueryData(queryKey, expected);
      try {
        const answer = await run();
        if (own === all.last) queryClient.setQueryData(queryKey, answer);
        return null;
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        all.isUnsure = true;
        return error;
      } finally {
        all.running -= 1;
        if (all.running === 0 && all.isUnsure) {
          all.isUnsure = false;
          void refetch();
        }
      }
    },
  };
}
