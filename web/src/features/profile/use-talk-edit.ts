import { useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { talkInfo, talkUpdate } from "@fava/wire/endpoints/talk.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { Talk } from "@fava/wire/talk.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";

export interface TalkEdit {
  /** Undefined until it has arrived. */
  readonly draft: Talk | undefined;
  /** It could not be loaded. */
  readonly failed: boolean;
  readonly reload: () => void;
  readonly isChanged: boolean;
  readonly status: "idle" | "saving" | "failed" | "too-often";
  readonly change: (part: Partial<Talk>) => void;
  /** Answers whether everything is stored. */
  readonly save: () => Promise<boolean>;
}

/** What of it differs; of lists also their order. */
function changesOf(stored: Talk, draft: Talk): Partial<Talk> {
  const changes: Partial<Talk> = {};
  for (const list of ["languages", "interests"] as const)
    if (draft[list].join(",") !== stored[list].join(",")) changes[list] = draft[list];
  if (draft.prefer !== stored.prefer) changes.prefer = draft.prefer;
  return changes;
}

/** The own languages and interests; asked for while they are shown, and what is not saved outlives that (rule TALK-22). */
export function useTalkEdit(user: OwnUser, isShown: boolean): TalkEdit {
  const input = isShown ? { user_id: user.user_id } : null;
  const { queryKey } = endpointQuery(talkInfo, input);
  const { data: stored, isError, refetch } = useEndpointQuery(talkInfo, input);
  const [edited, setEdited] = useState<Partial<Talk>>({});
  const [status, setStatus] = useState<TalkEdit["status"]>("idle");
  const draft = stored && { ...stored, ...edited };
  const changes = stored && draft ? changesOf(stored, draft) : edited;
  return {
    draft,
    failed: isError && stored === undefined,
    reload: () => void refetch(),
    isChanged: Object.keys(changes).length > 0,
    status,
    change(part) {
      setEdited({ ...edited, ...part });
      if (status !== "saving") setStatus("idle");
    },
    async save() {
      setStatus("saving");
      const { languages, interests, prefer } = changes;
      const fields = { languages: languages?.join(","), interests: interests?.join(","), prefer };
      try {
        const answer = await request(talkUpdate, { user_id: user.user_id, ...fields }, { quiet: true });
        queryClient.setQueryData(queryKey, answer);
        setEdited({});
        setStatus("idle");
        return true;
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        setStatus(error.code === codes.slowDown ? "too-often" : "failed");
        return false;
      }
    },
  };
}
