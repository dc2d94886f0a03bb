import { expect, test } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { matchedFor } from "#test/fixtures/matched.ts";
import { RelayedBytes } from "./relayed-bytes.ts";

const [ana, bo] = [1n, 2n];
const people = { offerer: matchedFor(ana, 0), answerer: matchedFor(bo, 0) };

function world() {
  const clock = new TestClock();
  const relayed = new RelayedBytes(clock);
  const live = (id: string) => relayed.onRoomEvent({ id, kind: "live", side: null, people });
  const end = (id: string) =>
    relayed.onRoomEvent({
      id,
      kind: "ended",
      side: "offerer",
      people,
      reason: "next",
      wasLive: true,
      joined: { offerer: true, answerer: true },
    });
  return { clock, relayed, live, end };
}

test("adds what both sides report, also after the end and for several connections", () => {
  const { clock, relayed, live, end } = world();
  live("r1");
  clock.advance(60_000);
  relayed.relayed(ana, "r1", 4_000);
  relayed.relayed(ana, "r1", 2_000);
  end("r1");
  clock.advance(500);
  relayed.relayed(bo, "r1", 5_000);
  expect(relayed.totals).toEqual({ bytes: 11_000, sides: 2 });
});

test("counts no other room, no call without videos, and no stranger", () => {
  const { clock, relayed, live, end } = world();
  relayed.relayed(ana, "r1", 4_000);
  live("r2");
  clock.advance(60_000);
  relayed.relayed(ana, "r1", 4_000);
  relayed.relayed(3n, "r2", 4_000);
  end("r2");
  expect(relayed.totals).toEqual({ bytes: 0, sides: 0 });
});

test("counts at most what a connection can carry in the time of the call", () => {
  const { clock, relayed, live, end } = world();
  live("r1");
  clock.advance(10_000);
  end("r1");
  clock.advance(3_600_000);
  relayed.relayed(ana, "r1", Number.MAX_SAFE_INTEGER);
  relayed.relayed(ana, "r1", Number.MAX_SAFE_INTEGER);
  expect(relayed.totals).toEqual({ bytes: 5_000_000, sides: 1 });
});
