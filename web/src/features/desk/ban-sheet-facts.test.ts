import { expect, test } from "vitest";
import { banReasonIds } from "@fava/wire/reasons.ts";
import { caseDetail, caseRow, deskNowMs, deskPerson } from "#testing/desk-makers.ts";
import { banSheetFacts, banSheetReasons, reportedReason } from "./BanSheet.tsx";

const dayMs = 86_400_000;
const person = deskPerson({ strikes: [{ at: 0, expires_at: deskNowMs + dayMs, reason_id: 2 }] });
const about = caseDetail(caseRow("a", { reason_id: 9, reporters: 3 }), {
  call: { id: "c", at: deskNowMs - 60_000, live: true },
});

test("states this length, reason, call, reports and the next strike", () => {
  expect(banSheetFacts({ person, about }, { hours: 168, reasonId: 6 }, deskNowMs)).toMatchObject({
    until: deskNowMs + 7 * dayMs,
    reason_id: 6,
    by: "person",
    is_provisional: false,
    call_at: deskNowMs - 60_000,
    reports: 3,
    strike: 2,
    strike_until: deskNowMs + 90 * dayMs,
  });
});

test("states a permanent ban as temporary until a second moderator agrees, and its end otherwise", () => {
  const facts = banSheetFacts({ person, about: null }, { hours: 0, reasonId: 1 }, deskNowMs);
  expect(facts).toMatchObject({ until: deskNowMs + 7 * dayMs, is_provisional: true, call_at: null, reports: 0 });
});

test("preselects the reason of the report, and offers no ban for a wrong gender", () => {
  expect(reportedReason({ person, about })).toBe(6);
  expect(reportedReason({ person, about: { ...about, reason_id: 10 } })).toBeNull();
  expect(banSheetReasons).toEqual(banReasonIds.filter((id) => id !== 7));
});
