import { type Appeal, appealGrounds, type BanHours, banHours } from "@fava/wire/moderation.ts";
import { banReasonIds } from "@fava/wire/reasons.ts";
import type { Selectable } from "kysely";
import type { AppealsTable } from "#db/moderation-tables.ts";
import { avatarAddress } from "#features/session/service.ts";
import { wireInteger } from "#wire-integer.ts";

const hourMs = 3_600_000;
const reasonUnknown = 4;

/** Whom an appeal or a second opinion is about, as the desk sees them. */
export function face(row: { id: bigint; user_no: string; nickname: string; avatar_key: string }) {
  return {
    user_id: Number(row.id),
    user_no: row.user_no,
    nickname: row.nickname,
    avatar: avatarAddress(row.avatar_key),
  };
}

/** An appeal as its writer and the desk read it. */
export function appealView(row: Selectable<AppealsTable>): Appeal {
  return {
    id: String(row.id),
    state: row.state as Appeal["state"],
    ground: appealGrounds.find((ground) => ground === row.ground) ?? 1,
    text: row.text,
    at: row.at.getTime(),
    answer_by: row.answer_by.getTime(),
    decided_at: row.decided_at?.getTime() ?? null,
    answer: row.answer,
    until: row.new_until?.getTime() ?? null,
    beans_returned: wireInteger(row.beans_returned),
  };
}

/** The length on the ladder that a ban has; software's minutes count as the shortest. */
export function banLength({ created_at, until }: { created_at: Date; until: Date | null }): BanHours {
  if (until === null) return 0;
  const hours = (until.getTime() - created_at.getTime()) / hourMs;
  return banHours.find((length) => length > 0 && hours <= length) ?? 720;
}

/** The reason of a ban as the lists know it; "violation" for any other. */
export function banReason(reasonId: number | null) {
  return banReasonIds.find((id) => id === reasonId) ?? reasonUnknown;
}
