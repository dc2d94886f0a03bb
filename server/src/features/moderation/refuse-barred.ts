import { forbidden } from "#http/call-error.ts";
import { barOf, type CaseSubject, type Viewer } from "./enforcement.ts";

/** @throws CallError 403 `own_case`, `colleague` or `role`. */
export function refuseBarred(viewer: Viewer, about: CaseSubject): void {
  const bar = barOf(viewer, about);
  if (bar === "own") throw forbidden("own_case");
  if (bar === "moderator") throw forbidden("colleague");
  if (bar === "administrators") throw forbidden("role");
}
