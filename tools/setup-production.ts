import { rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { startFailure } from "@fava/server/start-message.ts";
import { root } from "./lib/bootstrap.mjs";
import {
  asEnvironmentFile,
  askForSettings,
  openEnvironmentFile,
  readEnvironmentFile,
} from "./lib/production-settings.ts";

/**
 * `npm run setup:production [-- FILE]`: writes the settings of a site, `deploy/.env` unless another file is named. What
 * was set before is offered again, and what else stands in the file stays; without an answer to everything nothing is written.
 */
async function main(): Promise<void> {
  const file = resolve(process.argv[2] ?? join(root, "deploy/.env"));
  const before = await openEnvironmentFile(file);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // Whoever ends the input, or presses Ctrl-C, has not finished.
  lines.once("close", () => process.exit(1));
  const operator = { ask: (question: string) => lines.question(question), say: console.log };
  const settings = await askForSettings(operator, readEnvironmentFile(before));
  lines.removeAllListeners("close").close();
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, asEnvironmentFile(settings, before), { mode: 0o600 });
  await rename(unfinished, file);
  console.log(`Written: ${file}. It holds secrets: keep it where nobody else reads it, and keep a copy of it.`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}
