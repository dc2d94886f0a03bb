import * as v from "valibot";
import { createStore, type StoreApi } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { appealAdd, appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { mailAddressShape } from "@fava/wire/mails.ts";
import { appealGrounds } from "@fava/wire/moderation.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import type { Key } from "#lib/i18n.ts";
import { readStored, removeStored, writeStored } from "#lib/storage.ts";
import type { AppealStatus } from "./load-appeal.ts";

interface AppealFormState {
  readonly draft: Draft;
  /** Why the appeal was not sent; null without a problem. */
  readonly problem: Key | null;
  readonly sending: boolean;
}

interface AppealFormStore {
  readonly store: StoreApi<AppealFormState>;
  /** Updates the draft and stores it in this browser. */
  readonly change: (draft: Draft) => void;
  /**
   * Sends the appeal if it has a ground and a text; otherwise `problem` says what is missing. `email`: empty, or where
   * to mail the answer; no draft stores it.
   */
  readonly send: (email?: string) => Promise<void>;
}

/** Sends requests without a session, because a banned user has none. */
const asNobody = { token: "", quiet: true } as const;

/** The form of an appeal, from its draft to the server's response. */
export function appealForm(token: string, onSent: (status: AppealStatus) => void): AppealFormStore {
  const store = createStore<AppealFormState>(() => ({ draft: keptAppealDraft(token), problem: null, sending: false }));
  const post = appealPoster(token);
  return {
    store,
    change: (draft) => {
      store.setState({ draft, problem: null });
      keepDraft(token, draft);
    },
    send: async (email = "") => {
      const { draft, sending } = store.getState();
      const { ground, text } = draft;
      if (sending) return;
      if (ground === null || !hasVisibleSign(text)) return store.setState({ problem: "appeal.needText" });
      if (email !== "" && !mailAddressShape.test(email)) return store.setState({ problem: "mail.wrong" });
      store.setState({ sending: true });
      try {
        const status = await post({ ground, text, ...(email !== "" && { email }) });
        dropDraft();
        onSent(status);
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        store.setState({ problem: problemOf(error.reason), sending: false });
      }
    },
  };
}

type Written = Pick<InputOf<typeof appealAdd>, "ground" | "text" | "email">;

/** Posts an appeal. If the response to a stored one was lost, the next attempt loads it. */
function appealPoster(token: string): (written: Written) => Promise<AppealStatus> {
  let wasUnheard = false;
  return async (written) => {
    try {
      return await request(appealAdd, { appeal_token: token, ...written }, { token: "" });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      const { code, reason } = error;
      if (wasUnheard && reason === "appealed_before") return request(appealStatus, { appeal_token: token }, asNobody);
      if (code === 0 || code >= codes.serverError) wasUnheard = true;
      throw error;
    }
  };
}

function problemOf(reason: string): Key {
  if (reason === "appealed_before" || reason === "appeal_too_late") return `refused.${reason}`;
  return "appeal.failed";
}

const draftSchema = v.object({
  /** The ban, so that drafts of different bans stay separate; the token is secret, and is not stored. */
  of: v.string(),
  ground: v.nullable(v.picklist(appealGrounds)),
  text: v.pipe(v.string(), v.maxLength(appealLengthMax)),
});

export type Ground = (typeof appealGrounds)[number];
interface Draft {
  readonly ground: Ground | null;
  readonly text: string;
}

const empty: Draft = { ground: null, text: "" };

/** The unsent draft in this browser. */
export function keptAppealDraft(token: string): Draft {
  const stored = readStored("appealDraft");
  if (stored === null) return empty;
  const draft = v.safeParse(v.pipe(v.string(), v.parseJson(), draftSchema), stored);
  return draft.success && draft.output.of === banOf(token) ? draft.output : empty;
}

export function keepDraft(token: string, { ground, text }: Draft): void {
  writeStored("appealDraft", JSON.stringify({ of: banOf(token), ground, text }));
}

export function dropDraft(): void {
  removeStored("appealDraft");
}

/** Each sign-in creates a new token of the same ban, all beginning with its id. */
function banOf(token: string): string {
  return token.split(".", 1)[0] ?? "";
}
