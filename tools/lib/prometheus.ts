import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endChild, keepIn, spawnBound } from "@fava/server/test/fixtures/bound-process.ts";
import { freePort } from "../../e2e/support/free-port.ts";
import { root } from "./bootstrap.mjs";

const prometheusBinary = "/usr/bin/prometheus";
const promtool = "/usr/bin/promtool";
const settingsFolder = join(root, "deploy/prometheus");

/** Whether Prometheus is installed; `npm test` installs it on Debian. */
export const prometheusIsInstalled = existsSync(prometheusBinary);

interface Rule {
  readonly name: string;
  /** The expression that has a result if the alert is due. */
  readonly query: string;
  readonly health: string;
  readonly lastError?: string;
}

/** @throws Error with the output of promtool if it rejects a settings file or a rule, or if a case of the rules fails. */
export function checkWithPromtool(): void {
  const check = (...words: string[]) => execFileSync(promtool, words, { cwd: settingsFolder, encoding: "utf8" });
  for (const file of ["prometheus.yaml", "compose.yaml"]) check("check", "config", file);
  check("test", "rules", "alerts.test.yaml");
}

/** A real Prometheus with the settings and rules of `deploy/`, except for the servers and an interval of one second. */
export class Prometheus implements AsyncDisposable {
  readonly #url: string;
  readonly #end: () => Promise<void>;

  private constructor(url: string, end: () => Promise<void>) {
    this.#url = url;
    this.#end = end;
  }

  /** @param targets servers, as host and port. */
  static async start(targets: readonly string[]): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), `fava-prometheus-${process.pid}-`));
    const settings = join(folder, "prometheus.yaml");
    await cp(settingsFolder, folder, { recursive: true });
    const written = await readFile(settings, "utf8");
    const asked = targets.map((target) => `"${target}"`).join(", ");
    const near = written.replace('"localhost:3000"', asked).replaceAll(/: 15s$/gm, ": 1s");
    await writeFile(settings, near);
    const port = await freePort();
    const words = [`--config.file=${settings}`, `--storage.tsdb.path=${join(folder, "data")}`];
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    const child = spawnBound(prometheusBinary, [...words, listen], { onLine: keepIn([]) });
    return new Prometheus(`http://127.0.0.1:${port}`, async () => {
      await endChild(child, "SIGTERM");
      await rm(folder, { recursive: true, force: true });
    });
  }

  /** The current result of an expression; undefined if it cannot be evaluated. */
  async query(expression: string): Promise<readonly unknown[] | undefined> {
    const answer = await this.#ask<{ result: readonly unknown[] } | undefined>(
      `query?query=${encodeURIComponent(expression)}`,
    );
    return answer?.result;
  }

  /** Every alert rule, with the result of its last evaluation. */
  async rules(): Promise<readonly Rule[]> {
    const { groups } = await this.#ask<{ groups: { rules: Rule[] }[] }>("rules");
    return groups.flatMap((group) => group.rules);
  }

  async #ask<Answer>(path: string): Promise<Answer> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`);
    return ((await answer.json()) as { data: Answer }).data;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}
