import { expect, test, vi } from "vitest";
import { DisposalStack } from "#lib/disposal-stack.ts";
import type { SearchTotals } from "#ports/live-counts.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { createTestDatabase } from "#test/fixtures/database.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { storeSearches } from "./search-store.ts";

const tenMinutesMs = 600_000;

test("adds every ten minutes what a server has counted since the last time", async () => {
  const { db, pool } = await createTestDatabase();
  const clock = new TestClock(Date.parse("2026-11-28T23:30:00Z"));
  const disposal = new DisposalStack();
  leftovers.push(disposal);
  let totals: SearchTotals = { waits: { any: [2, 0] }, ends: { any: [2, 1] } };
  const logger = { error: (details: unknown) => expect(details).toBeUndefined() };
  storeSearches({ db, clock, logger, disposal }, () => totals);
  const stored = async () => {
    const { rows } = await pool.query<{ text: string }>(
      "select concat_ws(' ', day, name, part, value) as text from daily_figures order by day, name, part",
    );
    return rows.map(({ text }) => text);
  };
  const first = ["2026-11-28 matched any 2", "2026-11-28 unmatched any 1", "2026-11-28 wait any 0 2"];
  clock.advance(tenMinutesMs);
  await vi.waitFor(async () => expect(await stored()).toEqual(first));
  await vi.waitFor(() => expect(clock.pendingCount).toBe(1));
  totals = { waits: { any: [2, 1] }, ends: { any: [3, 1] } };
  clock.advance(tenMinutesMs);
  const second = ["2026-11-28 matched any 3", ...first.slice(1), "2026-11-28 wait any 1 1"];
  await vi.waitFor(async () => expect(await stored()).toEqual(second));
});
