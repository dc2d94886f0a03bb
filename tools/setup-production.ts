import { readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { ConfigError } from "@fava/server/config.ts";
import { startFailure } from "@fava/server/start-message.ts";
import { root } from "./lib/bootstrap.mjs";
import {
  answersIn,
  asEnvironmentFile,
  askForSettings,
  openEnvironmentFile,
  readEnvironmentFile,
  type Settings,
  settingsWithoutQuestions,
} from "./lib/production-settings.ts";

/**
 * `npm run setup:production [-- FILE] [--from ANSWERS | --from-environment]`: writes the settings of a site, by default
 * `deploy/.env`. It asks, unless a file or the environment has the answers. It offers the earlier answers again, keeps
 * other lines of the file, and writes nothing until every answer is right.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { from: { type: "string" }, "from-environment": { type: "boolean" } },
    allowPositionals: true,
  });
  const file = resolve(positionals[0] ?? join(root, "deploy/.env"));
  const before = await openEnvironmentFile(file);
  const known = readEnvironmentFile(before);
  const given = values["from-environment"]
    ? answersIn(process.env)
    : values.from === undefined
      ? null
      : readEnvironmentFile(await readFile(resolve(values.from), "utf8"));
  const settings = given === null ? await settingsByQuestions(known) : settingsWithoutQuestions(given, known);
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, asEnvironmentFile(settings, before), { mode: 0o600 });
  await rename(unfinished, file);
  console.log(`Written: ${file}. It holds secrets: keep it private, and keep a copy of it.`);
}

async function settingsByQuestions(known: Settings): Promise<Settings> {
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  // The end of the input and Ctrl-C both mean unfinished.
  lines.once("close", () => {
    console.error("\nNothing is written: a question was not answered. --from FILE takes the answers from a file.");
    process.exit(1);
  });
  const ask = async (question: string, isSecret: boolean) => {
    const answer = lines.question(question);
    isHidden = isSecret;
    await answer.finally(() => (isHidden = false));
    // The line feed of a hidden answer is hidden as well.
    if (isSecret && process.stdin.isTTY) console.log();
    return answer;
  };
  const settings = await askForSettings({ ask, say: console.log }, known);
  lines.removeAllListeners("close").close();
  return settings;
}

try {
  await main();
} catch (error) {
  const message =
    error instanceof ConfigError
      ? ["Nothing is written:", ...error.problems.map((problem) => `  - ${problem}`)].join("\n")
      : startFailure(error);
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
