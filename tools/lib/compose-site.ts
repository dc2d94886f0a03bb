import { execFile, execFileSync } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { root } from "./bootstrap.mjs";
import { exampleSettings, exampleStripe } from "./example-settings.ts";
import type { Podman } from "./podman.ts";
import { asEnvironmentFile, settingsWithoutQuestions } from "./production-settings.ts";
import { pythonProgram } from "./python-programs.mjs";

interface Container {
  readonly Names: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
  readonly ExitCode: number;
}

/** As `deploy/compose.yaml` names it. */
const project = "fava";
const services = ["postgres", "redis", "caddy", "coturn"];
/** Caddy issues certificates for `localhost` and names below it by itself. */
const domain = "fava.localhost";
const outputBytesMax = 64 * 2 ** 20;
const pollMs = 500;
const triesMax = 240;

/** The services of `deploy/compose.yaml`, with images made on this machine. */
export class ComposeSite implements AsyncDisposable {
  readonly domain = domain;
  readonly #podman: Podman;
  readonly #folder: string;

  private constructor(podman: Podman) {
    this.#podman = podman;
    this.#folder = join(podman.folder, "deploy");
  }

  /** @param image of the server. */
  static async open(podman: Podman, image: string): Promise<ComposeSite> {
    const site = new ComposeSite(podman);
    await mkdir(site.#folder);
    for (const name of ["compose.yaml", "Caddyfile"])
      await copyFile(join(root, "deploy", name), join(site.#folder, name));
    const settings = settingsWithoutQuestions(
      {
        ...exampleSettings,
        ...exampleStripe,
        DOMAIN: domain,
        PUBLIC_ADDRESS: "127.0.0.1",
        SERVERS: "2",
        CERTIFICATE_EMAIL: "ops@fava.test",
      },
      {},
    );
    await writeFile(join(site.#folder, ".env"), asEnvironmentFile(settings));
    const images = [
      ...["app", "migrate"].map((name) => [name, image]),
      ...services.map((name) => [name, `localhost/fava-test/${name}`]),
    ];
    const override = images.map(([name, used]) => `  ${name}: { image: ${used} }\n`).join("");
    // Names of containers as Docker makes them; no pod, which would share one network.
    const likeDocker = "x-podman: { name_separator_compat: true, in_pod: false }\n";
    await writeFile(join(site.#folder, "override.yaml"), `${likeDocker}services:\n${override}`);
    return site;
  }

  /** Starts every service. Debian's podman does not wait for dependencies, so each step waits for the one before. */
  async start(): Promise<void> {
    const up = ["up", "--detach", "--no-build", "--no-deps"];
    await this.#run(...up, "postgres", "redis");
    const isReady = () =>
      this.#podman.run("exec", `${project}-postgres-1`, "pg_isready", "-h", "127.0.0.1").then(
        () => true,
        () => false,
      );
    for (let tries = 0; !(await isReady()); tries += 1) {
      if (tries === triesMax) throw new Error("PostgreSQL has not started");
      await delay(pollMs);
    }
    await this.#run(...up, "migrate");
    await this.#podman.run("wait", `${project}-migrate-1`);
    await this.#run(...up, "app", "coturn", "caddy");
  }

  stop(service: string): Promise<string> {
    return this.#run("stop", service);
  }

  async #run(...words: readonly string[]): Promise<string> {
    const files = ["compose.yaml", "override.yaml"].flatMap((file) => ["--file", file]);
    const options = { cwd: this.#folder, env: this.#podman.env, maxBuffer: outputBytesMax };
    const { stdout, stderr } = await promisify(execFile)(
      pythonProgram("podman-compose"),
      [...files, ...words],
      options,
    );
    return `${stdout}${stderr}`;
  }

  /** Service, state and exit code of each container, sorted. */
  async states(): Promise<string[]> {
    const listed = JSON.parse(await this.#podman.run("ps", "--all", "--format=json")) as Container[];
    const own = listed.filter(({ Names: [name = ""] }) => name.startsWith(`${project}-`));
    return own
      .map(({ Labels, State, ExitCode }) => {
        const state = State === "stopped" ? "exited" : State;
        return `${Labels["com.docker.compose.service"]} ${state} ${ExitCode}`;
      })
      .toSorted();
  }

  /** A request through Caddy. @returns status and body. */
  request(path: string): { status: number; text: string } {
    const words = ["--silent", "--insecure", "--resolve", `${domain}:443:127.0.0.1`, "--write-out", "\n%{http_code}"];
    const answer = execFileSync("curl", [...words, `https://${domain}${path}`], { encoding: "utf8" });
    const end = answer.lastIndexOf("\n");
    return { status: Number(answer.slice(end + 1)), text: answer.slice(0, end) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run("down", "--volumes");
  }
}
