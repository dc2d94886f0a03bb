import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { installGo } from "./lib/go-programs.mjs";
import { installPython } from "./lib/python-programs.mjs";
import { openRunFolder, removeRunFolder } from "./lib/run-folder.mjs";
import { installMissing } from "./lib/system-programs.mjs";

/**
 * `npm run test:deep -- NAME [SEED]`: the random, killing and long tests, with more runs than `npm test` has time for.
 * It prints its seed; the same seed repeats the run. CI runs none of it.
 */
interface Part {
  readonly about: string;
  /** How many times the tries, seeds or kills of `npm test`. */
  readonly depth: number;
  readonly files: () => readonly string[];
  readonly projects: readonly string[];
  /** By default vitest. */
  readonly tool?: "playwright" | "documents";
  /** Of Playwright. */
  readonly workers?: number;
  /** Debian packages that `npm test` does not install. */
  readonly packages?: readonly string[];
  /** It creates network namespaces. */
  readonly needsRoot?: boolean;
  /** Programs in Go that `npm test` does not install. */
  readonly goPrograms?: Parameters<typeof installGo>[0];
  /** Programs in Python. */
  readonly pythonPrograms?: Parameters<typeof installPython>[0];
}

const root = join(import.meta.dirname, "..");
/** The time limit of a part, on two cores: docs/testing.md has measured times. */
const partMinutesMax = 60;

const parts: Readonly<Record<string, Part>> = {
  properties: {
    about: "every property, a hundred times as often",
    depth: 100,
    files: () => testsWith(/\bfuzz\(/).filter((file) => !/crash|ledger-fuzz|embedded/.test(file)),
    projects: ["wire", "web", "server"],
  },
  ledger: {
    about: "concurrent histories of the ledger, with transactions that crash",
    depth: 100,
    files: () => ["src/billing/ledger-fuzz.test.ts"],
    projects: ["server"],
  },
  matcher: {
    about: "random crowds against the oracle of the matcher, and servers over a network that loses things",
    depth: 50,
    files: () => ["src/calls/matcher.fuzz.test.ts", "src/calls/site.fuzz.test.ts"],
    projects: ["server"],
  },
  site: {
    about:
      "servers replaced one after the other, ten times, under calls that must not notice, and `npm run site` with its alerts",
    depth: 10,
    files: () => ["test/fixtures/site-updates.deep.test.ts", "site.deep.test.ts"],
    projects: ["server", "tools"],
  },
  simulations: {
    about: "people who meet, write and are looked at, over the real services",
    depth: 60,
    files: () => [],
    projects: ["sim"],
  },
  crashes: {
    about: "the meter's process and the database killed with -9, again and again",
    depth: 60,
    files: () => ["src/calls/crash.test.ts", "src/db/embedded.test.ts"],
    projects: ["server"],
  },
  kills: {
    about:
      "servers, Redis and database of a site killed, frozen and cut off under calls, five hundred times the process that judges a picture, and a backup at each of its parts",
    depth: 250,
    files: () => [
      "test/fixtures/site-failures.deep.test.ts",
      "test/fixtures/site-rings.deep.test.ts",
      "src/adapters/classifier/onnx/open-onnx-classifier.test.ts",
      "backup.test.ts",
    ],
    projects: ["server", "tools"],
  },
  hosts: {
    about: "a site on hosts of their own, while the link of a server is cut, loses or delays; needs root",
    depth: 2,
    files: () => ["test/fixtures/site-hosts.deep.test.ts"],
    projects: ["server"],
    packages: ["haproxy", "iproute2", "python3", "redis-server"],
    needsRoot: true,
  },
  stops: {
    about: "a server that is stopped after Redis, the database or both were away, ten times each",
    depth: 10,
    files: () => ["test/fixtures/stopping.test.ts"],
    projects: ["server"],
  },
  stories: {
    about: "stories and pages whose parts cheaper tests of `npm test` prove, or that are rare or long",
    depth: 1,
    files: () => [],
    projects: ["calls-deep", "stories-deep", "pages-deep"],
    tool: "playwright",
    workers: 1,
  },
  bucket: {
    about: "pictures in versitygw, an S3 service of others, with wrong keys, without a bucket, and stopped",
    depth: 2,
    files: () => ["src/adapters/blobs/versitygw.deep.test.ts"],
    projects: ["server"],
    goPrograms: ["versitygw"],
  },
  openapi: {
    about: "requests that schemathesis generates from openapi.json for a minute, signed, to the running product",
    depth: 2,
    files: () => ["openapi.deep.test.ts"],
    projects: ["tools"],
    pythonPrograms: ["schemathesis"],
  },
  helm: {
    about:
      "the chart: read by Helm, its objects held against the schemas of Kubernetes, and values that it must refuse",
    depth: 2,
    files: () => ["chart.deep.test.ts"],
    projects: ["tools"],
    goPrograms: ["helm"],
    pythonPrograms: ["kubernetes-validate"],
  },
  documents: {
    about: "the site of the documents",
    depth: 1,
    files: () => [],
    projects: [],
    tool: "documents",
  },
  "calls-network": {
    about:
      "calls of two browsers over ways that lose, waver and carry little, with what goes over them every two seconds",
    depth: 1,
    files: () => [],
    projects: ["calls-network"],
    tool: "playwright",
    workers: 1,
  },
  "paid-minute": {
    about: "a paid minute of a call that ends with the last bean, from its start to its end",
    depth: 1,
    files: () => [],
    projects: ["paid-minute"],
    tool: "playwright",
    workers: 1,
  },
  "age-check": {
    about: "a user who has to pass an age check before a search",
    depth: 1,
    files: () => [],
    projects: ["age-check"],
    tool: "playwright",
    workers: 1,
  },
  notice: {
    about: "a notice about a picture, from the form of a visitor to the decision at the desk",
    depth: 1,
    files: () => [],
    projects: ["notice"],
    tool: "playwright",
    workers: 1,
  },
  "background-blur": {
    about: "a call whose camera has a blurred background, until the blur fails",
    depth: 1,
    files: () => [],
    projects: ["background-blur"],
    tool: "playwright",
    workers: 1,
  },
  "compared-frames": {
    about:
      "own and received frames of calls over weak networks, with small, dark, moving and blurred video, and a page that uploads another picture than it sends",
    depth: 1,
    files: () => [],
    projects: ["compared-frames"],
    tool: "playwright",
    workers: 1,
  },
  firefox: {
    about: "stories of Chromium, with one or both users in Firefox",
    depth: 1,
    files: () => [],
    projects: ["firefox-deep"],
    tool: "playwright",
    workers: 1,
  },
  "firefox-network": {
    about: "calls of Firefox and Chromium over networks that lose, jitter, limit and delay",
    depth: 1,
    files: () => [],
    projects: ["firefox-network"],
    tool: "playwright",
    workers: 1,
  },
  webkit: {
    about: "pages, forms and payments in WebKitGTK, in light, dark and Arabic, at two widths",
    depth: 1,
    files: () => [],
    projects: ["webkit"],
    tool: "playwright",
    workers: 1,
    packages: ["webkit2gtk-driver", "xvfb"],
  },
  image: {
    about: "the image built, examined, migrated, started and stopped with podman, and the services of Compose",
    depth: 2,
    files: () => ["image.deep.test.ts"],
    projects: ["tools"],
    packages: [
      "podman",
      "runc",
      "catatonit",
      "netavark",
      "aardvark-dns",
      "debootstrap",
      "iptables",
      "curl",
      "python3-venv",
    ],
    goPrograms: ["caddy"],
    pythonPrograms: ["podman-compose"],
  },
  "slow-pictures": {
    about: "ten minutes of a call with slow devices, uploads and classifier on a busy machine, which must not end",
    depth: 1,
    files: () => [],
    projects: ["slow-pictures"],
    tool: "playwright",
    workers: 1,
  },
  gallery: {
    about: "every state of every screen, in every window and with every way of reading",
    depth: 2,
    files: () => [],
    projects: ["gallery"],
    tool: "playwright",
  },
  overload: {
    about:
      "ten minutes with twice the pictures and twice the presses that a server can do, under calls that must not end",
    depth: 10,
    files: () => ["overload.deep.test.ts"],
    projects: ["soak"],
  },
  soak: {
    about: "one server through which people come and go for half an hour",
    depth: 8,
    files: () => ["soak.deep.test.ts"],
    projects: ["soak"],
  },
};

function testsWith(pattern: RegExp): string[] {
  return ["wire/src", "web/src", "server/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => join(root, folder, file))
      .filter((file) => file.endsWith(".test.ts") && pattern.test(readFileSync(file, "utf8")))
      .map((file) => relative(root, file)),
  );
}

function run(name: string, part: Part, seed: number): number {
  console.log(
    `${name}, ${part.depth} times as deep, with seed ${seed}: npm run test:deep -- ${name} ${seed} repeats it`,
  );
  if (part.needsRoot && process.getuid?.() !== 0) return unrun("only root may create network namespaces");
  const missing = installMissing(part.packages ?? []);
  if (missing.length > 0) return unrun(`install these packages of Debian: ${missing.join(" ")}`);
  const missingGo = installGo(part.goPrograms ?? []);
  const missingPython = installPython(part.pythonPrograms ?? []);
  if (missingPython.length > 0) return unrun(`install Python with venv, which installs ${missingPython.join(" and ")}`);
  if (missingGo.length > 0) return unrun(`install Go, which installs ${missingGo.join(" and ")}`);
  const folder = openRunFolder();
  try {
    const { status, error } = spawnSync(process.execPath, commandOf(part), {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TMPDIR: folder, TEST_DEPTH: String(part.depth), TEST_SEED: String(seed) },
      timeout: partMinutesMax * 60_000,
    });
    if (error) console.error(`${name} did not end in ${partMinutesMax} minutes: ${error.message}`);
    return status ?? 1;
  } finally {
    removeRunFolder(folder);
  }
}

function unrun(why: string): number {
  console.error(`Not run: ${why}`);
  return 1;
}

function commandOf({ tool, projects, files, workers = 2 }: Part): string[] {
  if (tool === "documents") return ["tools/docs-site.mjs"];
  const chosen = [...projects.map((project) => `--project=${project}`), ...files()];
  return tool === "playwright"
    ? ["node_modules/@playwright/test/cli.js", "test", ...chosen, `--workers=${workers}`, "--reporter=dot"]
    : // One test of `npm test` is many runs here.
      ["node_modules/vitest/vitest.mjs", "run", ...chosen, `--testTimeout=${partMinutesMax * 60_000}`];
}

const [name = "", seed = String(1 + (Date.now() % 1_000_000))] = process.argv.slice(2);
const part = parts[name];
if (part && /^\d+$/.test(seed)) {
  process.exitCode = run(name, part, Number(seed));
} else {
  console.error(`npm run test:deep -- NAME [SEED], of these:`);
  for (const [known, { about }] of Object.entries(parts)) console.error(`  ${known.padEnd(15)} ${about}`);
  process.exitCode = 1;
}
