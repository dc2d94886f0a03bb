import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { roles } from "@fava/wire/people.ts";
import type { Viewer } from "#features/moderation/service.ts";
import { forbidden, refused } from "#http/call-error.ts";
import type { AppealWithBan } from "./store.ts";

type Closed = OutputOf<Endpoints["adminAppeal"]>["closed_because"];

/** Suspected minors: the evidence is for administrators alone. */
const minorReason = 5;

/**
 * Why this moderator cannot decide the appeal, or null: who had a part in the decision does not judge it, and a late
 * appeal is for administrators (product decision).
 */
export function closedBecause(viewer: Viewer, appeal: AppealWithBan, at: Date): Closed {
  if (appeal.state !== "received") return "decided";
  if (hadPart(appeal, viewer.userId)) return "first_decider";
  if (viewer.role >= roles.administrator) return null;
  const isLate = appeal.answer_by <= at;
  const isRestricted = appeal.reason_id === minorReason;
  return isLate || isRestricted || appeal.role >= roles.moderator ? "administrators" : null;
}

/** @throws CallError 403 `own_case`, `colleague`, `role`; 406 `already_decided`. */
export function refuseClosed(viewer: Viewer, appeal: AppealWithBan, at: Date): void {
  if (appeal.id === viewer.userId) throw forbidden("own_case");
  const closed = closedBecause(viewer, appeal, at);
  if (closed === "decided") throw refused("already_decided");
  if (closed === "first_decider") throw forbidden("own_case");
  if (closed === "administrators") throw forbidden(appeal.role >= roles.moderator ? "colleague" : "role");
}

/** Whether this moderator decided the ban, or gave the second opinion on it. */
export function hadPart(ban: { decided_by: bigint | null; seconded_by: bigint | null }, userId: bigint): boolean {
  return ban.decided_by === userId || ban.seconded_by === userId;
}
