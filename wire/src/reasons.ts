/** Severity: 1 is the most severe. */
export type Harm = 1 | 2 | 3 | 4;

/** Queue of a case: for all moderators, or for administrators only. */
export const queues = ["reports", "restricted"] as const;
export type Queue = (typeof queues)[number];

/** Lists that offer reasons: the report sheet, the page after the panic key, the desk's ban sheet. */
type ReasonList = "report" | "panic" | "ban";

interface ReasonFacts {
  /** Id of the report reason, on the wire and in the database; never reused. */
  readonly id: number;
  readonly harm: Harm;
  readonly queue: Queue;
  /** Id of the corresponding ban reason; several report reasons may share one. */
  readonly banReason: number;
  readonly offeredIn: readonly ReasonList[];
}

/**
 * Reasons of reports and bans (rule BAN-3). A row contains everything about a reason except its texts:
 * `reason.report.<id>` and `reason.reportHint.<id>` in the catalogs, and by the ban's id
 * `ban.reason.<id>`, `statementOf.inCall.<id>` and `statementOf.seen.<id>`. The order is that of the page after the
 * panic key: most severe first, least specific last.
 */
export const reasons = {
  pornography: { id: 4, banReason: 1, harm: 1, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  harassment: { id: 5, banReason: 2, harm: 2, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  recording: { id: 9, banReason: 6, harm: 1, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  minor: { id: 8, banReason: 5, harm: 1, queue: "restricted", offeredIn: ["report", "panic", "ban"] },
  bot: { id: 11, banReason: 8, harm: 3, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  spam: { id: 6, banReason: 3, harm: 3, queue: "reports", offeredIn: ["report", "ban"] },
  /** Decided by moderators only. The user enters the gender again; it is never a strike, and never a permanent ban. */
  wrongGender: { id: 10, banReason: 7, harm: 4, queue: "reports", offeredIn: ["report"] },
  /** For a breach of any other rule; also replaces an unknown reason. */
  violation: { id: 7, banReason: 4, harm: 3, queue: "reports", offeredIn: ["report", "panic", "ban"] },
} as const satisfies Record<string, ReasonFacts>;

type Row = (typeof reasons)[keyof typeof reasons];
export type ReportReason = Row["id"];
export type BanReason = Row["banReason"];

interface Reason extends ReasonFacts {
  readonly id: ReportReason;
  readonly banReason: BanReason;
}

const rows: readonly Reason[] = Object.values(reasons);
const byId = rows.toSorted((one, other) => one.id - other.id);

/** Report reasons by ascending id. */
export const reportReasonIds: readonly ReportReason[] = byId.map(({ id }) => id);
/** Ban reasons by ascending id. */
export const banReasonIds: readonly BanReason[] = [...new Set(byId.map(({ banReason }) => banReason))].toSorted(
  (one, other) => one - other,
);

/** The reasons of a list, by id; the panic list keeps the order of the table. */
export function reasonsOfferedIn(list: ReasonList): readonly Reason[] {
  return (list === "panic" ? rows : byId).filter(({ offeredIn }) => offeredIn.includes(list));
}

export function harmOf(reportReason: ReportReason): Harm {
  return rowOf(reportReason).harm;
}

export function queueOf(reportReason: ReportReason): Queue {
  return rowOf(reportReason).queue;
}

/** The ban reason of a report reason. */
export function banReasonOf(reportReason: ReportReason): BanReason {
  return rowOf(reportReason).banReason;
}

/** A report reason of a ban reason. */
export function reportReasonOf(banReason: BanReason): ReportReason {
  return rows.find((row) => row.banReason === banReason)?.id ?? reasons.violation.id;
}

/** Report reason of a stored id; "violation" for an unknown one. */
export function knownReportReason(id: number): ReportReason {
  return reportReasonIds.find((known) => known === id) ?? reasons.violation.id;
}

/** Ban reason of a stored id; "violation" for an unknown one or null. */
export function knownBanReason(id: number | null): BanReason {
  return banReasonIds.find((known) => known === id) ?? reasons.violation.banReason;
}

/** Catalog key of a ban reason's text; "Incorrect content" for an unknown id (rule BAN-3). */
export function banReasonKey(id: number): `ban.reason.${BanReason | "other"}` {
  return `ban.reason.${banReasonIds.find((known) => known === id) ?? "other"}`;
}

function rowOf(reportReason: ReportReason): Reason {
  return rows.find(({ id }) => id === reportReason) ?? reasons.violation;
}
