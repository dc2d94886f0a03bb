/**
 * Kinds of a notice by anybody about content, by urgency; the texts are `notice.kind.<kind>` in the catalogs. `minor`
 * notices are for administrators only, and may be anonymous.
 */
export const noticeKinds = ["minor", "intimate", "illegal", "rights"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `asked`: a moderator asked the sender a question. */
export const noticeStates = ["received", "asked", "upheld", "unfounded"] as const;

/** Decisions on a notice; the last one asks its sender a question. */
export const noticeOperations = { uphold: 1, unfounded: 2, ask: 3 } as const;
export const noticeOperationIds = [1, 2, 3] as const;
export type NoticeOperation = (typeof noticeOperationIds)[number];

/** Kinds of an authority's request; the texts are `authority.kind.<kind>` in the catalogs. */
export const authorityKinds = ["information", "preservation", "removal", "emergency"] as const;
export type AuthorityKind = (typeof authorityKinds)[number];

/** Outcomes of a request; `disclosed` needs a second administrator. */
export const authorityOutcomes = ["disclosed", "done", "refused", "no_data"] as const;
export type AuthorityOutcome = (typeof authorityOutcomes)[number];
