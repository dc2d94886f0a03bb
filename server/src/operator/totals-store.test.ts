import { expect, test, vi } from "vitest";
import { DisposalStack } from "#lib/disposal-stack.ts";
import type { DayTotals } from "#ports/live-counts.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { storeTotals } from "./totals-store.ts";

const tenMinutesMs = 600_000;

test("adds every ten minutes what a server has counted since the last time", async () => {
  const { db, pool } = await createTestDatabase();
  const clock = new TestClock(Date.parse("2026-11-28T23:30:00Z"));
  const disposal = new DisposalStack();
  leftovers.push(disposal);
  let totals: DayTotals = { waits: { any: [2, 0] }, ends: { any: [2, 1] }, relayed: { bytes: 900, sides: 2 } };
  const logger = { error: (details: unknown) => expect(details).toBeUndefined() };
  storeTotals({ db, clock, logger, disposal }, () => totals);
  const stored = async () => {
    const { rows } = await pool.query<{ text: string }>(
      "select concat_ws(' ', day, name, part, value) as text from daily_figures order by day, name, part",
    );
    return rows.map(({ text }) => text);
  };
  const relayed = (bytes: number, sides: number) => [
    `2026-11-28 relay_bytes  ${bytes}`,
    `2026-11-28 relay_sides  ${sides}`,
  ];
  const unmatched = "2026-11-28 unmatched any 1";
  const first = ["2026-11-28 matched any 2", ...relayed(900, 2), unmatched, "2026-11-28 wait any 0 2"];
  clock.advance(tenMinutesMs);
  await vi.waitFor(async () => expect(await stored()).toEqual(first));
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1));
  totals = { waits: { any: [2, 1] }, ends: { any: [3, 1] }, relayed: { bytes: 1_000, sides: 3 } };
  clock.advance(tenMinutesMs);
  const waits = ["2026-11-28 wait any 0 2", "2026-11-28 wait any 1 1"];
  const second = ["2026-11-28 matched any 3", ...relayed(1_000, 3), unmatched, ...waits];
  await vi.waitFor(async () => expect(await stored()).toEqual(second));
});
