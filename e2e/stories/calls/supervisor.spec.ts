import { execFileSync } from "node:child_process";
import { expect } from "@playwright/test";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectTogether, meet, test } from "../../support/people.ts";

test.use({ program: "tools/start.mjs" });

/** Of the processes that another one has started, the one whose command has these words. */
function childOf(pid: number, words: string): number {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const found = rows
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .find((row) => {
      return row?.[2] === String(pid) && row[3]?.includes(words);
    });
  if (!found) throw new Error(`${pid} has started no ${words}`);
  return Number(found[1]);
}

test("[START-15] [SOCKET-3] a server that dies in a call, by -9, by a fault, and with its database, is started again, and both pages meet again by themselves", async ({
  person,
  product,
}) => {
  // The server is started three times, and pages come back at random distances.
  test.setTimeout(300_000);
  const [ana, bo] = await Promise.all([person({ name: "Ana Lasts" }), person({ name: "Bo Lasts" })]);
  await meet(ana, bo);
  const deaths = [
    ["SIGKILL", "SIGKILL"],
    ["SIGSEGV", "SIGSEGV"],
    ["database", "code 1"],
  ] as const;
  for (const [index, [death, said]] of deaths.entries()) {
    const server = childOf(product.pid, "server/src/main.ts");
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
    expect(childOf(product.pid, "server/src/main.ts")).not.toBe(server);
  }
});

/** The process id stands in the first line of the file that PostgreSQL locks its data by. */
function databaseOf(dataDirectory: string): number {
  const file = execFileSync("find", [dataDirectory, "-name", "postmaster.pid"], { encoding: "utf8" }).trim();
  return Number(execFileSync("head", ["-n", "1", file], { encoding: "utf8" }));
}
