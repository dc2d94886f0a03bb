import { pino } from "pino";
import { expect, test } from "vitest";
import { NoOwnerError } from "#ports/peers.ts";
import { peersContract } from "#test/contracts/peers-contract.ts";
import { LocalPeers, LocalSite } from "./peers.ts";

const logger = pino({ level: "silent" });

peersContract("one process", async () => {
  const site = new LocalSite();
  const [ana, bo] = [new LocalPeers({ self: "ana", site, logger }), new LocalPeers({ self: "bo", site, logger })];
  return {
    ana,
    bo,
    [Symbol.asyncDispose]: async () => {
      await ana[Symbol.asyncDispose]();
      await bo[Symbol.asyncDispose]();
    },
  };
});

test("answers its own requests without other servers, and does not count them as requests to others", async () => {
  await using alone = new LocalPeers({ self: "alone", logger });
  const asked: string[] = [];
  alone.onAsked((_tookMs, outcome) => asked.push(outcome));
  alone.serve("cutCall", async () => null);
  await expect(alone.ask("cutCall", "person:1", null)).rejects.toThrow(NoOwnerError);
  using _owned = await alone.own("person:1");
  expect(await alone.ask("cutCall", "person:1", null)).toBeNull();
  expect([asked, alone.figures]).toEqual([[], { nobody: 0, gaps: 0 }]);
});
