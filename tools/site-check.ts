import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { openDatabase } from "@fava/server/db/pool.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { roles } from "@fava/wire/people.ts";
import { examine } from "./lib/installation.ts";
import { runProgram } from "./lib/run-program.ts";
import { isDone, type Machine, siteSteps } from "./lib/site-steps.ts";

const answerTimeoutMs = 5_000;
const marks = { fine: "", doubt: "LOOK ", harm: "WRONG " } as const;

const thisMachine: Machine = {
  run: runProgram,
  examine,
  read: (path) => unlessMissing(readFile(path, "utf8")),
  rights: async (path) => {
    const found = await unlessMissing(stat(path));
    return found && { mode: found.mode & 0o777, userId: found.uid };
  },
  get: async (url) => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      return String(cause instanceof Error ? cause.message : error);
    }
  },
  administrators: async (databaseUrl) => {
    try {
      await using database = openDatabase(databaseUrl, { max: 1 });
      const { count } = await database.db
        .selectFrom("users")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .where("role", "=", roles.administrator)
        .where("deleted_at", "is", null)
        .executeTakeFirstOrThrow();
      return Number(count);
    } catch {
      // The step of the database says why.
      return null;
    }
  },
};

async function unlessMissing<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * `npm run site:check [-- FILE]`, as root: which of the twelve steps of an installation with systemd are done here, and
 * what to do next. FILE has the settings, by default /etc/fava/env. Exits with 1 unless all are done.
 */
async function main(): Promise<void> {
  const steps = await siteSteps(thisMachine, resolve(process.argv[2] ?? "/etc/fava/env"));
  steps.forEach((step, index) => {
    const { title, findings, next } = step;
    console.log(`${String(index + 1).padStart(2)}  ${isDone(step) ? "done" : "TO DO"}  ${title}`);
    const waits = "        waits for step 5, the settings";
    console.log(findings.map(({ kind, sentence }) => `        ${marks[kind]}${sentence}`).join("\n") || waits);
    if (!isDone(step)) console.log(`        Next: ${next}`);
  });
  const open = steps.findIndex((step) => !isDone(step));
  console.log(
    open === -1
      ? "All twelve steps are done."
      : `${steps.filter(isDone).length} of ${steps.length} steps are done. Go on with step ${open + 1} (docs/operations/install.md).`,
  );
  if (open !== -1) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
