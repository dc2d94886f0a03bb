import type { Kysely, Transaction } from "kysely";
import { roles } from "@fava/wire/people.ts";
import type { Database } from "#db/schema.ts";
import { writeAudit } from "./audit.ts";

export type RoleName = keyof typeof roles;

interface RoleChange {
  /** The administrator; null for the command of an operator. */
  actorId: bigint | null;
  subjectId: bigint;
  before: number;
  after: number;
  at: Date;
}

/** Changes the role of a locked account, and writes it into the audit log. */
export async function changeRole(trx: Transaction<Database>, change: RoleChange): Promise<void> {
  const { actorId, subjectId, before, after, at } = change;
  await trx.updateTable("users").set({ role: after }).where("id", "=", subjectId).execute();
  await writeAudit(trx, { at, actorId, subjectId, kind: "role", detail: { before, after } });
}

/**
 * Gives an account a role at an operator's command, which needs no administrator: it is the way back when the only one
 * is lost (rule ROLE-3). A running server reads it within a minute.
 *
 * @param userNo the account number, 8 digits.
 * @returns the name and the earlier role; null if no account that is neither deleted nor erased has this number.
 */
export function grantRole(
  db: Kysely<Database>,
  { userNo, role, at }: { userNo: string; role: RoleName; at: Date },
): Promise<{ nickname: string; before: RoleName } | null> {
  return db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom("users")
      .select(["id", "nickname", "role"])
      .where("user_no", "=", userNo)
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!account) return null;
    const { id, nickname, role: before } = account;
    await changeRole(trx, { actorId: null, subjectId: id, before, after: roles[role], at });
    return { nickname, before: nameOf(before) };
  });
}

function nameOf(role: number): RoleName {
  if (role === roles.administrator) return "administrator";
  return role === roles.moderator ? "moderator" : "user";
}
