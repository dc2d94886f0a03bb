import { codes } from "@fava/wire/codes.ts";
import * as v from "valibot";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import type { CallNotice } from "./call-state.ts";

/** The notice of a failure that ends the search; null for a failure that may pass. */
export function noticeOf(failure: RequestFailure): CallNotice | null {
  if (failure.code === codes.notEnoughBeans) return "not-enough-beans";
  if (failure.code === codes.forbidden && failure.reason === "profile_incomplete") return "profile-incomplete";
  if (failure.code === codes.forbidden && failure.reason === "age_check") return "age-check";
  if (failure.code === codes.forbidden && failure.reason === "not_met") return "meet-over";
  if (failure.code === codes.forbidden && failure.reason === "paused")
    return { why: "paused", untilMs: untilOf(failure) };
  if (failure.code === codes.badInput) return fieldOf(failure) === "country" ? "country-refused" : "closed";
  return null;
}

function fieldOf({ data }: RequestFailure): string | null {
  const read = v.safeParse(v.object({ field: v.string() }), data);
  return read.success ? read.output.field : null;
}

function untilOf({ data }: RequestFailure): number | null {
  const read = v.safeParse(v.object({ until: v.number() }), data);
  return read.success ? read.output.until : null;
}
