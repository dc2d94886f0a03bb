import { expect, test } from "vitest";
import { partnerGapMaxMs } from "./matcher-records.ts";
import { PartnerMemory } from "./partner-memory.ts";

const [ana, bo, cem] = [1n, 2n, 3n];

test("reports a user's recent partners and separations until they expire", () => {
  const memory = new PartnerMemory(10);
  memory.met(ana, bo, 1_000);
  memory.met(ana, cem, 2_000);
  memory.keepApart(ana, cem, 32_000);
  expect(memory.of(ana, 3_000)).toEqual([
    { userId: bo, moment: 1_000 },
    { userId: cem, moment: -32_000 },
  ]);
  expect(memory.of(bo, 3_000)).toEqual([{ userId: ana, moment: 1_000 }]);
  expect(memory.of(ana, 32_000)).toEqual([{ userId: bo, moment: 1_000 }]);
  expect([memory.of(ana, 1_000 + partnerGapMaxMs), memory.of(4n, 0)]).toEqual([[], []]);
});

test("forgets the oldest meeting first, and remembers no more users than fit", () => {
  const memory = new PartnerMemory(4);
  memory.met(ana, bo, 1_000);
  memory.met(cem, 4n, 1_000);
  memory.met(ana, bo, 2_000);
  memory.met(5n, 6n, 3_000);
  expect(memory.of(cem, 3_000)).toEqual([]);
  expect(memory.of(ana, 3_000)).toEqual([{ userId: bo, moment: 2_000 }]);
});
