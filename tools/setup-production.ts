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
 * `npm run setup:production [-- FILE]`: writes the settings of a site, by default `deploy/.env`. It offers the earlier
 * answers again, and keeps other lines of the file. It writes nothing until every question is answered.
 */
async function main(): Promise<void> {
  const file = resolve(process.argv[2] ?? join(root, "deploy/.env"));
  const before = await openEnvironmentFile(file);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  // The end of the input and Ctrl-C both mean unfinished.
  lines.once("close", () => process.exit(1));
  const operator = { ask: (question: string) => lines.question(question), say: console.log };
  const settings = await askForSettings(operator, readEnvironmentFile(before));
  lines.removeAllListeners("close").close();
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, asEnvironmentFile(settings, before), { mode: 0o600 });
  await rename(unfinished, file);
  console.log(`Written: ${file}. It holds secrets: keep it private, and keep a copy of it.`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}
