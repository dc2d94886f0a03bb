import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { childrenOf } from "@fava/server/test/fixtures/child-processes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectTogether, meet, test } from "../../support/people.ts";

test.use({ program: "npm start" });

/** The newest server of the supervisor. */
function serverOf(supervisor: number): number {
  const [server] = childrenOf(supervisor, "main.js");
  if (server === undefined) throw new Error(`${supervisor} has started no server`);
  return server;
}

test(
  "restarts a server that dies in a call by -9, a fault or its database, and reconnects both pages",
  { tag: "@deep" },
  async ({ person, product }) => {
    // The server starts three times, and pages reconnect after random delays.
    test.setTimeout(300_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Lasts" }), person({ name: "Bo Lasts" })]);
    await meet(ana, bo);
    const deaths = [
      ["SIGKILL", "SIGKILL"],
      ["SIGSEGV", "SIGSEGV"],
      ["database", "code 1"],
    ] as const;
    for (const [index, [death, said]] of deaths.entries()) {
      const server = serverOf(product.pid);
      if (death === "database") process.kill(databaseOf(product.dataDirectory), "SIGKILL");
      else process.kill(server, death);
      const told = () =>
        product.log.filter((line) => line.startsWith(`The server ended with ${said}. It is started again in `));
      await expect.poll(() => told().length, { timeout: 30_000 }).toBe(1);
      for (const page of [ana, bo])
        await expect
          .poll(() => framesOf(page).pushes(pushCodes.matched).length, { timeout: 90_000 })
          .toBeGreaterThan(index + 1);
      await expectTogether(ana, bo);
      expect(serverOf(product.pid)).not.toBe(server);
    }
  },
);

/** The process id is in the first line of PostgreSQL's lock file. */
function databaseOf(dataDirectory: string): number {
  const file = readdirSync(dataDirectory, { recursive: true, encoding: "utf8" }).find((one) =>
    one.endsWith("postmaster.pid"),
  );
  if (file === undefined) throw new Error("no database");
  return Number.parseInt(readFileSync(join(dataDirectory, file), "utf8"), 10);
}
