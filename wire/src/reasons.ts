/** How bad it is: 1 is the worst. */
export type Harm = 1 | 2 | 3 | 4;

/** Where a case waits: before all moderators, or before administrators alone. */
export const queues = ["reports", "restricted"] as const;
export type Queue = (typeof queues)[number];

/** What lets a person choose a reason: the report sheet, the page after the panic key, the desk's sheet for a ban. */
type ReasonList = "report" | "panic" | "ban";

interface ReasonFacts {
  /** Of a report, on the wire and in the database; never given to another reason. */
  readonly id: number;
  readonly harm: Harm;
  readonly queue: Queue;
  /** Of the ban that such a report leads to, in the same sense; several reports may lead to one. */
  readonly banReason: number;
  readonly offeredIn: readonly ReasonList[];
}

/**
 * Why people are reported and banned (rule BAN-3). One row is all of a reason but
 * its texts (decision 020): `reason.report.<id>` and `reason.reportHint.<id>` in the catalogs, and with the ban's id
 * `ban.reason.<id>`, `statementOf.inCall.<id>` and `statementOf.seen.<id>`. The order is that of the page after the panic
 * key: what weighs most comes first, and what says least comes last.
 */
export const reasons = {
  pornography: { id: 4, banReason: 1, harm: 1, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  harassment: { id: 5, banReason: 2, harm: 2, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  recording: { id: 9, banReason: 6, harm: 1, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  minor: { id: 8, banReason: 5, harm: 1, queue: "restricted", offeredIn: ["report", "panic", "ban"] },
  bot: { id: 11, banReason: 8, harm: 3, queue: "reports", offeredIn: ["report", "panic", "ban"] },
  spam: { id: 6, banReason: 3, harm: 3, queue: "reports", offeredIn: ["report", "ban"] },
  /** Judged by people alone, and asked anew rather than banned: never a strike, and never for good. */
  wrongGender: { id: 10, banReason: 7, harm: 4, queue: "reports", offeredIn: ["report"] },
  /** Any other rule: stands for a reason that is not known. */
  violation: { id: 7, banReason: 4, harm: 3, queue: "reports", offeredIn: ["report", "panic", "ban"] },
} as const satisfies Record<string, ReasonFacts>;

type Row = (typeof reasons)[keyof typeof reasons];
export type ReportReason = Row["id"];
export type BanReason = Row["banReason"];

/** A row of the table. */
interface Reason extends ReasonFacts {
  readonly id: ReportReason;
  readonly banReason: BanReason;
}

const rows: readonly Reason[] = Object.values(reasons);
const byId = rows.toSorted((one, other) => one.id - other.id);

/** Reasons of a report, ascending. */
export const reportReasonIds: readonly ReportReason[] = byId.map(({ id }) => id);
/** Reasons of a ban, ascending. */
export const banReasonIds: readonly BanReason[] = [...new Set(byId.map(({ banReason }) => banReason))].toSorted(
  (one, other) => one - other,
);

/** What a list offers: by id, but after the panic key in the order of the table. */
export function reasonsOfferedIn(list: ReasonList): readonly Reason[] {
  return (list === "panic" ? rows : byId).filter(({ offeredIn }) => offeredIn.includes(list));
}

export function harmOf(reportReason: ReportReason): Harm {
  return rowOf(reportReason).harm;
}

export function queueOf(reportReason: ReportReason): Queue {
  return rowOf(reportReason).queue;
}

/** The reason of the ban that a report leads to. */
export function banReasonOf(reportReason: ReportReason): BanReason {
  return rowOf(reportReason).banReason;
}

/** The reason of a report that leads to such a ban. */
export function reportReasonOf(banReason: BanReason): ReportReason {
  return rows.find((row) => row.banReason === banReason)?.id ?? reasons.violation.id;
}

/** The reason of a report by its stored id; "violation" for one that is not in the table. */
export function knownReportReason(id: number): ReportReason {
  return reportReasonIds.find((known) => known === id) ?? reasons.violation.id;
}

/** The reason of a ban by its stored id; "violation" for one that is not in the table, and for none. */
export function knownBanReason(id: number | null): BanReason {
  return banReasonIds.find((known) => known === id) ?? reasons.violation.banReason;
}

/** Key of a ban reason's text in the catalogs: "Incorrect content" for one that is not in the table (rule BAN-3). */
export function banReasonKey(id: number): `ban.reason.${BanReason | "other"}` {
  return `ban.reason.${banReasonIds.find((known) => known === id) ?? "other"}`;
}

function rowOf(reportReason: ReportReason): Reason {
  return rows.find(({ id }) => id === reportReason) ?? reasons.violation;
}
