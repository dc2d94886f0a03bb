import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { startFailure } from "@fava/server/start-message.ts";
import { examine, examineFile } from "./lib/installation.ts";
import { readEnvironmentFile } from "./lib/production-settings.ts";

const marks = { fine: "fine ", doubt: "LOOK ", harm: "WRONG" } as const;

/**
 * `npm run doctor [-- FILE]`: reports problems of an installation, by the settings of the environment and of a file
 * such as `deploy/.env`; exits with 1 for problems that users would notice.
 */
async function main(): Promise<void> {
  const file = process.argv[2] === undefined ? null : resolve(process.argv[2]);
  const settings = file === null ? {} : readEnvironmentFile(await readFile(file, "utf8"));
  const findings = [
    ...(await examine({ ...process.env, ...settings })),
    ...(file === null ? [] : await examineFile(file)),
  ];
  for (const { kind, sentence } of findings) console.log(`${marks[kind]}  ${sentence}`);
  if (findings.some(({ kind }) => kind === "harm")) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exitCode = 1;
}
