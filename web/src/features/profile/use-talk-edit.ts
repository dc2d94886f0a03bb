import { useRef, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { talkInfo, talkUpdate } from "@fava/wire/endpoints/talk.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { OwnTalk } from "@fava/wire/talk.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import type { Key } from "#lib/i18n.ts";
import { endpointQuery, queryClient, useEndpointQuery } from "#lib/query.ts";
import { changedSince } from "./use-profile-edit.ts";

export interface TalkEdit {
  /** The server's state. Like `draft` undefined until it is loaded. */
  readonly stored: OwnTalk | undefined;
  readonly draft: OwnTalk | undefined;
  /** The server's state could not be loaded. */
  readonly failed: boolean;
  readonly reload: () => void;
  readonly isChanged: boolean;
  readonly status: "idle" | "saving" | "failed" | "too-often";
  readonly change: (part: Partial<OwnTalk>) => void;
  /** Resolves to whether everything is stored; a choice that was changed meanwhile is not. */
  readonly save: () => Promise<boolean>;
}

const statusKeys: Readonly<Partial<Record<TalkEdit["status"], Key>>> = {
  failed: "profile.saveFailed",
  "too-often": "talk.tooOften",
};

/** Why nothing can be saved; undefined if it can. */
export function whyNotSaved({ isChanged, status }: TalkEdit): Key | undefined {
  return isChanged ? statusKeys[status] : "profile.nothing";
}

/** The differences; for lists the order counts, too. */
function changesOf(stored: OwnTalk, draft: OwnTalk): Partial<OwnTalk> {
  const changes: Partial<OwnTalk> = {};
  for (const list of ["languages", "interests", "leaves_out"] as const)
    if (draft[list].join(",") !== stored[list].join(",")) changes[list] = draft[list];
  if (draft.prefer !== stored.prefer) changes.prefer = draft.prefer;
  return changes;
}

/**
 * The user's languages and interests, and the excluded countries; loaded while `user` is given. Unsaved changes survive
 * a null `user`.
 */
export function useTalkEdit(user: OwnUser | null): TalkEdit {
  const input = user ? { user_id: user.user_id } : null;
  const { queryKey } = endpointQuery(talkInfo, input);
  const { data: stored, isError, refetch } = useEndpointQuery(talkInfo, input);
  const [edited, drawEdited] = useState<Partial<OwnTalk>>({});
  /** The current edits for responses that arrive after a later render. */
  const latest = useRef(edited);
  const [status, setStatus] = useState<TalkEdit["status"]>("idle");
  const draft = stored && { ...stored, ...edited };
  const changes = stored && draft ? changesOf(stored, draft) : edited;
  const setEdited = (next: Partial<OwnTalk>) => {
    latest.current = next;
    drawEdited(next);
  };
  return {
    stored,
    draft,
    failed: isError && stored === undefined,
    reload: () => void refetch(),
    isChanged: Object.keys(changes).length > 0,
    status,
    change(part) {
      setEdited({ ...latest.current, ...part });
      if (status !== "saving") setStatus("idle");
    },
    async save() {
      if (!user) return false;
      setStatus("saving");
      const { languages, interests, prefer, leaves_out: excluded } = changes;
      const lists = {
        languages: languages?.join(","),
        interests: interests?.join(","),
        leaves_out: excluded?.join(","),
      };
      const fields = { ...lists, prefer };
      try {
        const answer = await request(talkUpdate, { user_id: user.user_id, ...fields });
        queryClient.setQueryData(queryKey, answer);
        const left = changedSince(edited, latest.current);
        setEdited(left);
        setStatus("idle");
        return Object.keys(left).length === 0;
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        setStatus(error.code === codes.slowDown ? "too-often" : "failed");
        return false;
      }
    },
  };
}
