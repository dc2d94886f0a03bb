import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adminAppeal, adminAppealList, adminAppealOperate } from "@fava/wire/endpoints/appeals.ts";
import { adminCase, adminClaim, adminSecondOperate } from "@fava/wire/endpoints/desk.ts";
import { appealRow, caseDetail, caseRow, claimOf } from "#testing/desk-makers.ts";
import type { AppealVerdict } from "./appeal-machine.ts";
import { appealsStore } from "./appeals.ts";
import type { DeskPorts } from "./cases.ts";

let sent: { path: string; input: unknown }[];

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
});
afterEach(() => vi.useRealTimers());

/** Opens the row, decides it, and waits until it cannot be undone. */
async function decided(row: ReturnType<typeof appealRow>, verdict: AppealVerdict): Promise<unknown> {
  const answers: Record<string, unknown> = {
    [adminAppealList.path]: { seconds: [], appeals: [] },
    [adminCase.path]: caseDetail(caseRow(row.id), { state: "second" }),
    [adminAppeal.path]: { closed_because: null },
    [adminClaim.path]: { claim: claimOf(null) },
  };
  const ports = {
    call: async (endpoint: { path: string }, input: unknown) => {
      sent.push({ path: endpoint.path, input });
      return answers[endpoint.path] ?? {};
    },
    prepare: async () => async () => undefined,
    tellFailure: (error: unknown) => expect(error).toBeNull(),
    tellDecided: () => undefined,
  };
  const appeals = appealsStore(7, ports as unknown as DeskPorts, true);
  appeals.start();
  appeals.dispatch({ type: "open", row });
  await vi.advanceTimersByTimeAsync(0);
  appeals.dispatch({ type: "decide", verdict });
  await vi.advanceTimersByTimeAsync(5_000);
  return sent.at(-1);
}

test("[DESK-122] a second opinion is sent as its operation, and claims the case", async () => {
  expect(await decided(appealRow("3", { kind: "second" }), { kind: "second", operation: 2 })).toEqual({
    path: adminSecondOperate.path,
    input: { user_id: 7, id: "3", operation: 2 },
  });
  expect(sent).toContainEqual({ path: adminClaim.path, input: { user_id: 7, item: "case:3", on: 1 } });
});

test("[DESK-122] an appeal is sent with outcome and answer, and its hours where it is shortened", async () => {
  const shortened = { kind: "appeal", outcome: "shortened", hours: 24, answer: "A day is enough." } as const;
  expect(await decided(appealRow("4"), shortened)).toEqual({
    path: adminAppealOperate.path,
    input: { user_id: 7, id: "4", outcome: "shortened", hours: 24, answer: "A day is enough." },
  });
  expect(sent).toContainEqual({ path: adminClaim.path, input: { user_id: 7, item: "appeal:4", on: 1 } });
});
