import { unsecondedBanMs } from "@fava/wire/limits.ts";
import type { BanHours } from "@fava/wire/moderation.ts";
import { banReasonOf } from "@fava/wire/reasons.ts";
import type { Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { badInput } from "#http/call-error.ts";
import type { ReportReason } from "#ports/moderation.ts";
import { type BanReason, hourMs, wrongGender } from "./enforcement.ts";

type Trx = Transaction<Database>;

/** A ban as a moderator asks for it; 0 hours: for good. */
export interface Forbid {
  readonly hours: BanHours;
  readonly reason_id: BanReason;
  readonly note: string;
}

/** @throws CallError 400 without a length, and for good because of a wrong gender. */
export function readForbid(
  asked: { hours?: BanHours | undefined; reason_id?: BanReason | undefined; note: string },
  reasonOfCase: ReportReason,
): Forbid {
  const { hours, reason_id = banReasonOf(reasonOfCase), note } = asked;
  if (hours === undefined) throw badInput("a ban has a length", "hours");
  if (hours === 0 && reason_id === wrongGender) throw badInput("never for good", "hours");
  return { hours, reason_id, note };
}

/** The report reason that leads to a ban reason. */
export function reportReasonOf(reasonId: BanReason): ReportReason {
  return (reasonId + 3) as ReportReason;
}

/** Whether the ban of a decided case is this long. */
export async function wasForbiddenFor(trx: Trx, caseId: bigint, hours: number): Promise<boolean> {
  const ban = await trx
    .selectFrom("bans")
    .select(["created_at", "until"])
    .where("case_id", "=", caseId)
    .where("decided_by", "is not", null)
    .executeTakeFirst();
  return ban?.until?.getTime() === (ban?.created_at.getTime() ?? 0) + hours * hourMs;
}

/** Whether the same person did the same to somebody since then. */
export async function sameForbid(
  trx: Trx,
  subjectId: bigint,
  { hours, reason_id, byId, since }: Forbid & { byId: bigint; since: Date },
): Promise<boolean> {
  const lengthMs = hours === 0 ? unsecondedBanMs : hours * hourMs;
  const bans = await trx
    .selectFrom("bans")
    .select(["created_at", "until"])
    .where("user_id", "=", subjectId)
    .where("reason_id", "=", reason_id)
    .where("decided_by", "=", byId)
    .where("created_at", ">", since)
    .where("ended_early_at", "is", null)
    .execute();
  return bans.some(({ created_at, until }) => until?.getTime() === created_at.getTime() + lengthMs);
}
