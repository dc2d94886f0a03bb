import { expect, test } from "vitest";
import { LoanChecks } from "./loans.ts";

test("[CALL-131] ends a loan for the server that took the call over: from a dead host, or as the database has it", async () => {
  const living = new Set(["host", "adopter"]);
  const checks = new LoanChecks({
    processes: { living: async () => living },
    runningCalls: {
      areIn: async () => true,
      isOwnedBy: async (roomId: string, owner: string) => roomId === "taken" && owner === "adopter",
    },
  } as never);
  const lent = { host: "host", otherId: 2n } as never;
  const isOver = (roomId: string, host: string, otherId = 2n) => checks.isOfDead(lent, { roomId, otherId, host });
  expect(await isOver("taken", "adopter")).toBe(true);
  expect(await isOver("taken", "adopter", 3n)).toBe(false);
  expect(await isOver("another", "adopter")).toBe(false);
  expect(await isOver("taken", "host")).toBe(false);
  living.delete("host");
  expect(await isOver("another", "adopter")).toBe(true);
});
