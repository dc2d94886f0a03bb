import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secondOpinionMs, strikeMs, strikesMax, suspensionMs, banWithoutSecondOpinionMs } from "@fava/wire/limits.ts";
import { banHours } from "@fava/wire/moderation.ts";
import { banReasonIds, reportReasonIds } from "@fava/wire/reasons.ts";
import { fuzz } from "@fava/wire/testing/depth.ts";
import {
  type Action,
  accessDenialOf,
  dayMs,
  decide,
  type History,
  hourMs,
  isPausedBy,
  nextHours,
  reliabilityOf,
  type PolicySignal,
  strikesInForce,
} from "./ban-policy.ts";

const nowMs = 1_800_000_000_000;
const clean: History = { strikes: [], suspendedAtMs: [] };
const fresh = { judged: 0, right: 0 };
const liar = { judged: 4, right: 1 };
const liarsNine = Array.from({ length: 9 }, () => liar);

const reporters = fc.array(
  fc.nat(20).chain((judged) => fc.nat(judged).map((right) => ({ judged, right }))),
  { maxLength: 20 },
);
const history: fc.Arbitrary<History> = fc.record({
  strikes: fc.array(
    fc.record({ expiresAtMs: fc.integer({ min: nowMs - strikeMs, max: nowMs + strikeMs }), isRevoked: fc.boolean() }),
    { maxLength: 6 },
  ),
  suspendedAtMs: fc.array(fc.integer({ min: nowMs - 3 * dayMs, max: nowMs }), { maxLength: 5 }),
});
const byOne: fc.Arbitrary<PolicySignal> = fc.oneof(
  fc.record({
    kind: fc.constant("reported" as const),
    reasonId: fc.constantFrom(...reportReasonIds),
    reporters,
    wasPaused: fc.boolean(),
  }),
  fc.constant({ kind: "sure" as const }),
  fc.record({
    kind: fc.constant("forbidden" as const),
    hours: fc.constantFrom(...banHours),
    reasonId: fc.constantFrom(...banReasonIds),
  }),
);
const kinds = (actions: readonly Action[]) => actions.map(({ kind }) => kind);

test("[CASE-1] never bans for good for a signal of software or of one reporter alone", () => {
  expect.hasAssertions();
  fc.assert(
    fc.property(byOne, history, (signal, past) => {
      const endless = decide(signal, past, nowMs).filter(
        (action) => (action.kind === "ban" || action.kind === "suspend") && action.untilMs === null,
      );
      expect(endless).toEqual([]);
    }),
    fuzz(100),
  );
});

test("[CASE-2] suspends for 15 minutes by software, and for at most a day whatever happened before", () => {
  fc.assert(
    fc.property(history, (past) => {
      const [action, ...more] = decide({ kind: "sure" }, past, nowMs);
      expect(more).toEqual([]);
      const again = past.suspendedAtMs.some((atMs) => atMs > nowMs - dayMs);
      expect(action).toEqual({ kind: "suspend", untilMs: nowMs + (again ? dayMs : suspensionMs) });
    }),
    fuzz(100),
  );
});

test("[CASE-2] ignores a suspension older than a day", () => {
  expect(decide({ kind: "sure" }, { ...clean, suspendedAtMs: [nowMs - dayMs] }, nowMs)).toEqual([
    { kind: "suspend", untilMs: nowMs + suspensionMs },
  ]);
});

test("[CASE-3] bans for a day, a week, for good, by the strikes in force", () => {
  expect([0, 1, 2, 3, 9].map(nextHours)).toEqual([24, 168, 0, 0, 0]);
  const strike = (expiresAtMs: number, isRevoked = false) => ({ expiresAtMs, isRevoked });
  expect(strikesInForce([strike(nowMs), strike(nowMs + 1), strike(nowMs + 1, true)], nowMs)).toBe(1);
});

test("expires a strike of a moderator's ban after 90 days, counts at most three, and gives none for a wrong gender", () => {
  fc.assert(
    fc.property(fc.constantFrom(...banHours), fc.constantFrom(...banReasonIds), history, (hours, reasonId, past) => {
      const actions = decide({ kind: "forbidden", hours, reasonId }, past, nowMs);
      const ban = actions.find((action) => action.kind === "ban");
      const strike = actions.find((action) => action.kind === "strike");
      expect(ban?.untilMs).toBe(nowMs + (hours === 0 ? banWithoutSecondOpinionMs : hours * hourMs));
      expect(ban?.isProvisional).toBe(hours === 0);
      const inForce = strikesInForce(past.strikes, nowMs);
      const isNone = reasonId === 7;
      expect(ban?.strike).toBe(isNone ? 0 : Math.min(inForce + 1, strikesMax));
      expect(strike?.expiresAtMs).toBe(isNone ? undefined : nowMs + strikeMs);
    }),
    fuzz(100),
  );
});

test("[CASE-5] asks a second moderator for a ban for good, who agrees, makes it 30 days from the first decision, or lifts it", () => {
  const asked = decide({ kind: "forbidden", hours: 0, reasonId: 1 }, clean, nowMs);
  expect(asked).toContainEqual({ kind: "ask_second", lapsesAtMs: nowMs + secondOpinionMs });
  expect(kinds(decide({ kind: "forbidden", hours: 720, reasonId: 1 }, clean, nowMs))).toEqual(["ban", "strike"]);
  const second = (operation: 1 | 2 | 4) =>
    decide({ kind: "seconded", operation, decidedAtMs: nowMs }, clean, nowMs + dayMs);
  expect(second(4)).toEqual([{ kind: "ban", untilMs: null, isProvisional: false, strike: 0 }]);
  expect(second(2)).toEqual([{ kind: "ban", untilMs: nowMs + 30 * dayMs, isProvisional: false, strike: 0 }]);
  expect(second(1)).toEqual([{ kind: "lift" }]);
});

describe("[CASE-6] reports", () => {
  const reported = (count: number, one = fresh, change: Partial<Extract<PolicySignal, { kind: "reported" }>> = {}) =>
    decide(
      {
        kind: "reported",
        reporters: Array.from({ length: count }, () => one),
        wasPaused: false,
        ...change,
      },
      clean,
      nowMs,
    );

  test("pause matching for a day, once, when they come from three reporters", () => {
    expect(reported(2)).toEqual([]);
    expect(reported(3)).toEqual([{ kind: "pause", untilMs: nowMs + dayMs, rule: "reports_many" }]);
    expect(reported(4, fresh, { wasPaused: true })).toEqual([]);
  });

  test("count a third when their reporter is mostly wrong", () => {
    expect(reported(8, liar)).toEqual([]);
    expect(kinds(reported(9, liar))).toEqual(["pause"]);
    expect(isPausedBy([fresh, fresh, liar])).toBe(false);
    expect(isPausedBy([fresh, fresh, ...liarsNine.slice(0, 3)])).toBe(true);
    expect(isPausedBy([{ judged: 2, right: 0 }, fresh, fresh])).toBe(true);
    expect(isPausedBy([{ judged: 10, right: 3 }, fresh, fresh])).toBe(true);
    expect(isPausedBy([{ judged: 100, right: 29 }, fresh, fresh])).toBe(false);
    expect(reliabilityOf({ judged: 2, right: 0 })).toBeNull();
    expect(reliabilityOf({ judged: 10, right: 3 })).toBe(0.3);
  });

  test("do no more than pause matching for a day, whatever their number, except for a suspected minor", () => {
    fc.assert(
      fc.property(reporters, fc.boolean(), (many, wasPaused) => {
        const actions = decide({ kind: "reported", reporters: many, wasPaused }, clean, nowMs);
        const wrong = actions.filter((action) => action.kind !== "pause" || action.untilMs !== nowMs + dayMs);
        expect(wrong).toEqual([]);
      }),
      fuzz(100),
    );
  });

  test("never count less when more reporters join", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(reporters, reporters, (some, more) => {
        expect(isPausedBy([...some, ...more]) || !isPausedBy(some)).toBe(true);
      }),
      fuzz(100),
    );
  });
});

describe("[CASE-580] a report of a suspected minor", () => {
  type Minor = Extract<PolicySignal, { kind: "minor_reported" }>;
  const first: Omit<Minor, "kind"> = {
    isUnproven: false,
    isFurther: true,
    pause: null,
    isPausedLately: false,
    pausesUndecided: 0,
  };
  const minor = (change: Partial<Minor> = {}) => decide({ kind: "minor_reported", ...first, ...change }, clean, nowMs);
  const pause = (untilMs: number | null) => [{ kind: "pause", untilMs, rule: "report" }];
  const running = { untilMs: nowMs + 1, isUnproven: true, isLifted: false };
  const lapsed = { ...running, untilMs: nowMs };

  test("pauses for a day, and for four hours when the reporter is unproven", () => {
    expect(minor()).toEqual(pause(nowMs + dayMs));
    expect(minor({ isUnproven: true })).toEqual(pause(nowMs + 4 * 3_600_000));
    expect(minor({ isPausedLately: true })).toEqual(pause(nowMs + dayMs));
    expect(minor({ isUnproven: true, isPausedLately: true })).toEqual([]);
  });

  test("prolongs a running pause only when a proven reporter follows an unproven one", () => {
    expect(minor({ pause: running })).toEqual(pause(nowMs + dayMs));
    expect(minor({ pause: running, isUnproven: true })).toEqual([]);
    expect(minor({ pause: { ...running, isUnproven: false } })).toEqual([]);
    expect(minor({ pause: { ...running, untilMs: null } })).toEqual([]);
  });

  test("pauses until the decision when another reporter follows an expired pause", () => {
    expect(minor({ pause: lapsed })).toEqual(pause(null));
    expect(minor({ pause: lapsed, isUnproven: true, isPausedLately: true })).toEqual(pause(null));
    expect(minor({ pause: lapsed, isFurther: false })).toEqual([]);
    expect(minor({ pause: { ...lapsed, isLifted: true } })).toEqual([]);
  });

  test("pauses nobody while two pauses by the reporter wait for a decision", () => {
    expect(minor({ pausesUndecided: 1 })).toEqual(pause(nowMs + dayMs));
    expect(minor({ pausesUndecided: 2 })).toEqual([]);
    expect(minor({ pausesUndecided: 2, pause: lapsed })).toEqual([]);
  });
});

test("bars a user from their own case, and a moderator from cases about colleagues and suspected minors", () => {
  const about = { subjectId: 1n, subjectRole: 0, queue: "reports" } as const;
  const moderator = { userId: 2n, role: 2 };
  const administrator = { userId: 3n, role: 3 };
  expect(accessDenialOf(moderator, about)).toBeNull();
  expect(accessDenialOf({ userId: 1n, role: 3 }, { ...about, subjectRole: 3 })).toBe("own");
  expect(accessDenialOf(moderator, { ...about, subjectRole: 2 })).toBe("moderator");
  expect(accessDenialOf(moderator, { ...about, subjectRole: 3 })).toBe("moderator");
  expect(accessDenialOf(moderator, { ...about, queue: "restricted" })).toBe("administrators");
  expect(accessDenialOf(administrator, { ...about, subjectRole: 2 })).toBeNull();
  expect(accessDenialOf(administrator, { ...about, queue: "restricted" })).toBeNull();
});
