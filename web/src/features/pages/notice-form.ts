import { createStore, type StoreApi } from "zustand";
import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { noticeAdd } from "@fava/wire/endpoints/notices.ts";
import type { NoticeKind } from "@fava/wire/notices.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import type { Key } from "#lib/i18n.ts";

export type SentNotice = OutputOf<typeof noticeAdd>;

type Words = "text" | "account" | "name" | "seen" | "picture" | "hash" | "signature" | "email";

export interface NoticeDraft extends Readonly<Record<Words, string>> {
  readonly kind: NoticeKind | null;
  readonly isInGoodFaith: boolean;
}

/** The fields that have to be filled in. */
export type RequiredField = "kind" | "text" | "signature" | "email" | "faith";

interface NoticeFormState {
  readonly draft: NoticeDraft;
  /** Why the notice was not sent; null without a problem. */
  readonly problem: Key | null;
  readonly isSending: boolean;
}

export interface NoticeFormStore {
  readonly store: StoreApi<NoticeFormState>;
  readonly change: (change: Partial<NoticeDraft>) => void;
  /** Sends the notice. If something is missing, `problem` says so and the first such field is returned. */
  readonly send: () => Promise<RequiredField | null>;
}

/** Eight digits: the account number in the link of a profile. */
const accountShape = /^#(\d{8})$/;
const tokenShape = /^#(\d{1,18}\.[\w-]{43})$/;

export function noticeAddress(token: string): string {
  return `/notice#${token}`;
}

/** The token in the fragment of an address, which browsers send to no server; null without one. */
export function noticeTokenIn(hash: string): string | null {
  return tokenShape.exec(hash)?.[1] ?? null;
}

function emptyDraft(hash: string): NoticeDraft {
  return {
    kind: null,
    text: "",
    account: accountShape.exec(hash)?.[1] ?? "",
    name: "",
    seen: "",
    picture: "",
    hash: "",
    signature: "",
    email: "",
    isInGoodFaith: false,
  };
}

/** Whether the notice needs no name and no address. */
export function mayBeAnonymous({ kind }: Pick<NoticeDraft, "kind">): boolean {
  return kind === "minor";
}

/** The first field that is missing; null if the notice is complete. */
export function missingField(draft: NoticeDraft): RequiredField | null {
  if (draft.kind === null) return "kind";
  if (!hasVisibleSign(draft.text)) return "text";
  if (!mayBeAnonymous(draft) && !hasVisibleSign(draft.signature)) return "signature";
  if (!mayBeAnonymous(draft) && !draft.email.includes("@")) return "email";
  return draft.isInGoodFaith ? null : "faith";
}

/** The form of a notice. The draft is in memory only: another user of this device must not find it. */
export function noticeForm(hash: string, onSent: (sent: SentNotice) => void): NoticeFormStore {
  const store = createStore<NoticeFormState>(() => ({ draft: emptyDraft(hash), problem: null, isSending: false }));
  return {
    store,
    change: (change) => store.setState(({ draft }) => ({ draft: { ...draft, ...change }, problem: null })),
    send: async () => {
      const { draft, isSending } = store.getState();
      if (isSending) return null;
      const missing = missingField(draft);
      const { kind, isInGoodFaith, ...fields } = draft;
      if (missing !== null || kind === null || !isInGoodFaith) {
        store.setState({ problem: "notice.needs" });
        return missing;
      }
      store.setState({ isSending: true });
      try {
        // Without a session, so that the server does not learn which account reports.
        onSent(await request(noticeAdd, { ...fields, kind, good_faith: 1 }, { token: "", quiet: true }));
        store.setState({ draft: emptyDraft(""), isSending: false });
      } catch (error) {
        if (!(error instanceof RequestFailure)) throw error;
        store.setState({ problem: problemOf(error), isSending: false });
      }
      return null;
    },
  };
}

function problemOf({ code }: RequestFailure): Key {
  if (code === codes.slowDown) return "notice.tooMany";
  return code === codes.badInput || code === codes.refused ? "notice.needs" : "appeal.failed";
}
