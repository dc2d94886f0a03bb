/** Reasons of a ban, by id (rule BAN-3); the texts are `ban.reason.<id>` in the catalogs. */
export const banReasonIds = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** Reasons of a report, by id; the texts are `reason.report.<id>` in the catalogs. */
export const reportReasonIds = [4, 5, 6, 7, 8, 9, 10, 11] as const;

/** The ban reason that a report reason leads to (product decision "Reasons"). */
export function banReasonOf(reportReasonId: (typeof reportReasonIds)[number]): (typeof banReasonIds)[number] {
  return (reportReasonId - 3) as (typeof banReasonIds)[number];
}
