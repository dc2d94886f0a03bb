import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { adminCase, adminClaim, adminReportList, adminReportOperate } from "@fava/wire/endpoints/desk.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { caseDetail, caseRow, claimOf, deskNowMs } from "#testing/desk-makers.ts";
import { type Cases, casesStore, type DeskPorts } from "./cases.ts";

type Sent = { path: string; input: Record<string, unknown>; keepalive: boolean };

let sent: Sent[];
let told: unknown[];
let decided: number;
let answers: Record<string, (input: Record<string, unknown>) => unknown>;
let cases: Cases;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [sent, told, decided] = [[], [], 0];
  answers = {
    [adminReportList.path]: () => ({
      rows: [caseRow("a"), caseRow("b")],
      next: null,
      waiting: 2,
      oldest_at: deskNowMs,
    }),
    [adminCase.path]: ({ id }) => caseDetail(caseRow(String(id))),
    [adminClaim.path]: ({ on }) => ({ claim: on === 1 ? claimOf(null) : null }),
    [adminReportOperate.path]: () => ({ state: "decided" }),
  };
  const call = async (
    endpoint: { path: string },
    input: Record<string, unknown>,
    options?: { keepalive?: boolean },
  ) => {
    sent.push({ path: endpoint.path, input, keepalive: options?.keepalive ?? false });
    return answers[endpoint.path]?.(input);
  };
  const ports: DeskPorts = {
    call: call as DeskPorts["call"],
    prepare: async (endpoint, input) => async () =>
      void sent.push({ path: endpoint.path, input: input as Record<string, unknown>, keepalive: true }),
    tellFailure: (error) => told.push(error),
    tellTaken: (person, by) => told.push(`${person} ${by}`),
    tellDecided: () => (decided += 1),
  };
  cases = casesStore(7, ports, true);
  end = cases.start();
});
afterEach(() => vi.useRealTimers());

const operated = () => sent.filter(({ path }) => path === adminReportOperate.path);
const openFirst = async () => {
  cases.dispatch({ type: "refresh" });
  await vi.advanceTimersByTimeAsync(0);
  cases.dispatch({ type: "open", id: "a" });
  await vi.advanceTimersByTimeAsync(0);
};

test("[DESK-102] a decision reaches the server after five seconds, with length, reason and note", async () => {
  await openFirst();
  cases.dispatch({ type: "decide", verdict: { operation: 4, hours: 168, reasonId: 2, note: "seen twice" } });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(operated()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(operated()).toEqual([
    {
      path: adminReportOperate.path,
      input: { user_id: 7, id: "a", operation: 4, hours: 168, reason_id: 2, note: "seen twice" },
      keepalive: false,
    },
  ]);
  expect(decided).toBe(1);
  expect(cases.getState().open?.id).toBe("b");
});

test("[DESK-103] what was undone never reaches the server", async () => {
  await openFirst();
  cases.dispatch({ type: "decide", verdict: { operation: 3 } });
  cases.dispatch({ type: "undo" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(operated()).toEqual([]);
});

test("[DESK-104] leaving the desk sends what is pending, in a call that outlives the page", async () => {
  await openFirst();
  cases.dispatch({ type: "decide", verdict: { operation: 2 } });
  await vi.advanceTimersByTimeAsync(0);
  end();
  // In this very turn: a page that goes away has no other.
  expect(operated()).toMatchObject([{ input: { id: "a", operation: 2 }, keepalive: true }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(operated()).toHaveLength(1);
});

test("[DESK-109] a refusal is told and the queue is read again", async () => {
  await openFirst();
  const failure = new CallFailure({ code: 403, reason: "claimed" });
  answers[adminReportOperate.path] = () => {
    throw failure;
  };
  cases.dispatch({ type: "decide", verdict: { operation: 1 } });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([failure]);
  expect(sent.at(-1)?.path).toBe(adminReportList.path);
  expect(cases.getState().queue.rows.map(({ id }) => id)).toContain("a");
});

test("[DESK-109] a queue and a case that do not arrive say so, and can be asked for again", async () => {
  answers[adminReportList.path] = () => {
    throw new CallFailure({ code: 0, reason: "network" });
  };
  cases.dispatch({ type: "refresh" });
  await vi.advanceTimersByTimeAsync(0);
  expect(cases.getState().queue.phase).toBe("failed");
  answers[adminCase.path] = answers[adminReportList.path] ?? (() => null);
  cases.dispatch({ type: "open", id: "x" });
  await vi.advanceTimersByTimeAsync(0);
  expect(cases.getState().open).toEqual({ phase: "failed", id: "x" });
});
