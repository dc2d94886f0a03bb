import { type RefObject, useEffect, useRef, useState } from "react";
import * as v from "valibot";
import { codes } from "@fava/wire/codes.ts";
import type { InputOf } from "@fava/wire/endpoint.ts";
import { userUpdate } from "@fava/wire/endpoints/profile.ts";
import { textAsk } from "@fava/wire/endpoints/text-questions.ts";
import { type TextSpan, textSpanSchema } from "@fava/wire/messages.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { hasVisibleSign } from "@fava/wire/visible-text.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { refreshUser, replaceUser } from "#lib/session.ts";

/** The fields of the profile before they are saved. */
interface ProfileDraft {
  readonly nickname: string;
  readonly location: string;
  readonly about: string;
  readonly searchable: 0 | 1;
  readonly ringable: 0 | 1;
}

export type TextField = "nickname" | "location" | "about";
const textFields = ["nickname", "location", "about"] as const satisfies readonly TextField[];

/** Why a field cannot be saved: it is empty, or `finding` is the first objection to its text, `spans` where. */
export type FieldProblem = { kind: "empty" } | { kind: "found"; finding: string; spans?: readonly TextSpan[] };
type FieldProblems = Readonly<Partial<Record<TextField, FieldProblem>>>;

type ProfileChanges = Pick<InputOf<typeof userUpdate>, "nickname" | "location" | "about" | "searchable" | "ringable">;

export function profileDraftOf(user: OwnUser): ProfileDraft {
  const { nickname, location, about, searchable, ringable } = user;
  return { nickname, location, about, searchable, ringable };
}

/** The fields that differ from the stored ones; surrounding blanks do not count. Null: nothing to save. */
export function changesOf(user: OwnUser, draft: ProfileDraft): ProfileChanges | null {
  const changes: ProfileChanges = {};
  for (const field of textFields) if (draft[field].trim() !== user[field]) changes[field] = draft[field].trim();
  if (draft.searchable !== user.searchable) changes.searchable = draft.searchable;
  if (draft.ringable !== user.ringable) changes.ringable = draft.ringable;
  return Object.keys(changes).length > 0 ? changes : null;
}

/** The fields that were changed after they were sent. */
export function changedSince<Fields extends object>(sent: Fields, now: Fields): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const field in now) if (now[field] !== sent[field]) changes[field] = now[field];
  return changes;
}

/**
 * The problems of changed fields only, because stored texts were accepted. The name must not be empty, nor about-me
 * once it was written; the server checks the content again.
 */
export function problemsOf(user: OwnUser, draft: ProfileDraft): FieldProblems {
  const changes = changesOf(user, draft) ?? {};
  const problems: Partial<Record<TextField, FieldProblem>> = {};
  for (const field of textFields) {
    const text = changes[field];
    if (text === undefined) continue;
    const finding = findPersonalData(text)[0];
    if (text === "") {
      if (field !== "location") problems[field] = { kind: "empty" };
    } else if (!hasVisibleSign(text)) problems[field] = { kind: "found", finding: "invisible_text" };
    else if (finding !== undefined) problems[field] = { kind: "found", finding };
  }
  return problems;
}

/** What the server found in a text; shown at its field until the text changes. */
interface Refusal {
  readonly field: TextField;
  readonly text: string;
  readonly finding: string;
  readonly spans: readonly TextSpan[];
}

/** A text that a moderator was asked to review, and when the review is promised. */
interface AskedText {
  readonly text: string;
  /** The stored text of the field when the user asked. */
  readonly before: string;
  readonly dueAtMs: number;
}

/** These findings cannot be reviewed: they are never allowed, or a moderator has rejected them. */
const notAsked = new Set(["invisible_text", "name_reserved", "answered_before"]);

/** Whether a moderator can be asked to review the problem of a field. */
export function canAsk(problem: FieldProblem | undefined): boolean {
  return problem?.kind === "found" && !notAsked.has(problem.finding);
}

export interface ProfileEdit {
  readonly draft: ProfileDraft;
  readonly changes: ProfileChanges | null;
  readonly problems: FieldProblems;
  readonly saving: boolean;
  /** Why the last save failed, other than by a field. `too-soon`: the name was changed less than 30 days ago. */
  readonly failed: "no" | "unknown" | "too-soon";
  /** The texts that a moderator was asked to review. */
  readonly asked: Readonly<Partial<Record<TextField, AskedText>>>;
  /** The field whose question is being sent. */
  readonly asking: TextField | null;
  /** Asks a moderator to review a field; the field then shows the stored text. */
  readonly ask: (field: TextField) => Promise<void>;
  readonly change: (part: Partial<ProfileDraft>) => void;
  /** Resolves to whether everything is stored; a text that was changed meanwhile is not. */
  readonly save: () => Promise<boolean>;
}

/** The form of the user's profile; the server checks for personal data again. */
export function useProfileEdit(user: OwnUser): ProfileEdit {
  const [draft, drawDraft] = useState(() => profileDraftOf(user));
  /** The current draft for responses that arrive after a later render. */
  const latest = useRef(draft);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [status, setStatus] = useState<"idle" | "saving" | "failed" | "too-soon">("idle");
  const changes = changesOf(user, draft);

  function setDraft(next: ProfileDraft): void {
    latest.current = next;
    drawDraft(next);
  }

  const { passing, ...questions } = useQuestions(user, { latest, setDraft, setRefusal });
  const problems = withRefusal(withoutPassing(problemsOf(user, draft), draft, passing), { user, draft, refusal });

  async function store(wanted: ProfileChanges): Promise<boolean> {
    try {
      const stored = await request(userUpdate, { user_id: user.user_id, ...wanted });
      replaceUser(stored);
      const left = changedSince(draft, latest.current);
      setDraft({ ...profileDraftOf(stored), ...left });
      setStatus("idle");
      return Object.keys(left).length === 0;
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      const refused = refusalOf(error, draft);
      setRefusal(refused);
      const isTooSoon = error.reason === "nickname_too_soon";
      setStatus(refused ? "idle" : isTooSoon ? "too-soon" : "failed");
      // The user has changed the name on another page: loads the user, with the day of the next change.
      if (isTooSoon) await giveUpName();
      return false;
    }
  }

  async function giveUpName(): Promise<void> {
    const fresh = await refreshUser();
    if (fresh) setDraft({ ...latest.current, nickname: fresh.nickname });
  }

  return {
    draft,
    changes,
    ...questions,
    problems,
    saving: status === "saving",
    failed: status === "failed" ? "unknown" : status === "too-soon" ? "too-soon" : "no",
    change(part) {
      setDraft({ ...latest.current, ...part });
      if (status !== "saving") setStatus("idle");
    },
    async save() {
      if (!changes || Object.keys(problems).length > 0) return false;
      setStatus("saving");
      return store(changes);
    },
  };
}

/** The questions to moderators about rejected texts, and their outcomes while the profile is open. */
function useQuestions(
  user: OwnUser,
  draft: {
    latest: RefObject<ProfileDraft>;
    setDraft: (next: ProfileDraft) => void;
    setRefusal: (refusal: Refusal) => void;
  },
) {
  const { latest, setDraft, setRefusal } = draft;
  /** Texts that the server accepts although the page finds something in them. */
  const [passing, setPassing] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<ProfileEdit["asked"]>({});
  const [asking, setAsking] = useState<TextField | null>(null);

  useEffect(() => {
    // A moderator has accepted a text, which is now the stored one: shows it in its field, unless the user has edited
    // the field since.
    for (const field of textFields) {
      const one = asked[field];
      if (one?.text !== user[field]) continue;
      setAsked(({ [field]: _accepted, ...others }) => others);
      if (latest.current[field] === one.before) setDraft({ ...latest.current, [field]: user[field] });
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the stored texts change
  }, [user]);

  async function ask(field: TextField): Promise<void> {
    const text = latest.current[field];
    setAsking(field);
    try {
      const { due_at } = await request(textAsk, { user_id: user.user_id, place: field, text: text.trim() });
      setAsked((before) => ({ ...before, [field]: { text: text.trim(), before: user[field], dueAtMs: due_at } }));
      if (latest.current[field] === text) setDraft({ ...latest.current, [field]: user[field] });
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      if (error.code === codes.badInput) setPassing((before) => new Set([...before, text]));
      else if (notAsked.has(error.reason)) setRefusal({ field, text, finding: error.reason, spans: [] });
      else tellFailure(error);
    } finally {
      setAsking(null);
    }
  }

  return { passing, asked, asking, ask };
}

const foundSchema = v.object({
  field: v.picklist(textFields),
  findings: v.optional(v.array(v.string()), []),
  spans: v.optional(v.array(textSpanSchema), []),
});

function refusalOf(error: RequestFailure, draft: ProfileDraft): Refusal | null {
  if (error.code !== codes.refused) return null;
  const data = v.safeParse(foundSchema, error.data);
  if (!data.success) return null;
  const { field, findings, spans } = data.output;
  return { field, text: draft[field], finding: findings[0] ?? error.reason, spans };
}

function withRefusal(
  problems: FieldProblems,
  { user, draft, refusal }: { user: OwnUser; draft: ProfileDraft; refusal: Refusal | null },
): FieldProblems {
  if (!refusal) return problems;
  const { field, text, finding, spans } = refusal;
  // A rejection no longer counts once the text has changed, or has been stored after all.
  if (draft[field] !== text || text.trim() === user[field]) return problems;
  return { ...problems, [field]: { kind: "found", finding, spans } };
}

function withoutPassing(problems: FieldProblems, draft: ProfileDraft, passing: ReadonlySet<string>): FieldProblems {
  const left: Partial<Record<TextField, FieldProblem>> = {};
  for (const field of textFields) {
    const problem = problems[field];
    if (problem && !(problem.kind === "found" && passing.has(draft[field]))) left[field] = problem;
  }
  return left;
}
