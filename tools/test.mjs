// `npm test`: all checks and tests, from a fresh clone, in one command. `--unit` omits the browsers, `--changed` runs
// what uncommitted changes affect, or those of the last commit. With CI=true a test that was not run is a failure.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepare, root } from "./lib/bootstrap.mjs";
import { lastChanges, touchedTests } from "./lib/changes.mjs";
import { otherNode, otherVersion } from "./lib/other-node.mjs";
import { openRunFolder, quickDirectory, removeRunFolder } from "./lib/run-folder.mjs";
import { runLanes } from "./lib/run-lanes.mjs";
import { systemPrograms } from "./lib/system-programs.mjs";
import { outcome, readReport } from "./lib/test-reports.mjs";

const logFolder = join(root, ".cache/test");
/** Playwright's compiled test sources, by content; emptied when it holds this many files. */
const compiledFolder = join(root, ".cache/playwright");
const compiledFilesMax = 5_000;
/** This many lanes, which sometimes wait for a browser, a clock or a disk, keep two cores busy. */
const sideBySide = 5;
/** Of parts without calls. A call that waits for a core shows its video for longer, and so takes more processor time. */
const usualNiceness = 5;
/** The server's tests wait most for disks and clocks. With the usual niceness they end alone, on one core. */
const serverNiceness = 3;
/**
 * Files of the server's tests with a part of their own: they wait for other processes, or compute in the same functions
 * for seconds, which takes three times as long in a process that has run two hundred other files.
 */
const serverAlone = [
  "src/calls/matcher.fuzz.test.ts",
  "src/calls/site.fuzz.test.ts",
  "src/adapters/classifier/onnx/open-onnx-classifier.test.ts",
  "src/calls/crash.test.ts",
  "src/second-process.test.ts",
  "test/fixtures/site-processes.test.ts",
  "test/fixtures/stopping.test.ts",
];
/** Tests of what the database itself decides, which also run on the oldest PostgreSQL that operators may use. */
const databaseTests = ["src/db/", "src/billing/"];
/** Of these, files that start the embedded PostgreSQL themselves. */
const embeddedAlone = ["embedded", "outage", "pause-guard", "replica"].map((name) => `src/db/${name}.test.ts`);
const slowestShown = 20;
const unitProjects = ["wire", "tools", "web"];
/** Tests that run in Node.js without browsers: of the web app only the build of its pages. */
const unitsOfNode = ["wire/src", "web/vite", "sim"];
/** Tag of one call, one purchase and one conversation, with the server, in browsers. */
const storiesOnBoth = "@both-nodes";
const withBrowsers = !process.argv.includes("--unit");
const whyUnrun = withBrowsers ? "no Chromium" : "--unit";
const whyWithoutPostgres = withBrowsers ? "no package postgresql-15" : "--unit";

const startedMs = performance.now();
const abort = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => abort.abort());
summarise(prepare() ? await runEverything() : [outcome("preparing the checkout", "failed")]);

async function runEverything() {
  const { chromium, postgres } = withBrowsers ? systemPrograms() : { chromium: null, postgres: null };
  const unitsFolder = openRunFolder(quickDirectory());
  const folder = openRunFolder();
  process.env.TMPDIR = folder;
  process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR = compiledFolder;
  if (existsSync(compiledFolder) && readdirSync(compiledFolder, { recursive: true }).length > compiledFilesMax)
    rmSync(compiledFolder, { recursive: true, force: true });
  if (chromium) process.env.CHROMIUM_PATH = chromium;
  try {
    const isWhole = !process.argv.includes("--changed");
    const first = (
      isWhole ? allLanes({ chromium, postgres, unitsFolder }) : touchedLanes(chromium, unitsFolder)
    ).filter(Boolean);
    const lanes = [];
    const add = (more) => {
      for (const { report } of more) if (report) rmSync(report, { force: true });
      lanes.push(...more);
    };
    add(first);
    const running = runLanes(lanes, { sideBySide, cwd: root, abort: abort.signal });
    // npm installs it while the first lanes run. No lane can end meanwhile, because this process waits for npm.
    const other = isWhole ? otherNode(join(root, ".cache")) : null;
    if (other) add(lanesOfOtherNode(other, { chromium, unitsFolder }));
    else if (isWhole) add([vitest("sim", ["sim"], { environment: { TMPDIR: unitsFolder } })]);
    const endings = await running;
    const unrun = [
      ...(chromium ? [] : [outcome("components", "skipped", { reason: whyUnrun })]),
      ...(postgres || !isWhole ? [] : [outcome("PostgreSQL 15", "skipped", { reason: whyWithoutPostgres })]),
      ...(other || !isWhole
        ? []
        : [outcome(`Node.js ${otherVersion}`, "skipped", { reason: "it could not be installed" })]),
    ];
    return [...lanes.flatMap((lane) => outcomesOf(lane, endings.get(lane.name))), ...unrun];
  } finally {
    removeRunFolder(folder);
    removeRunFolder(unitsFolder);
  }
}

/** The longest first, so that both cores are busy to the end. */
function allLanes({ chromium, postgres, unitsFolder }) {
  const environment = { TMPDIR: unitsFolder };
  return [
    playwright("calls", { chromium }),
    vitest("server", ["server"], {
      environment: { ...environment, TEST_LEFT_OUT: serverAlone.join(" ") },
      niceness: serverNiceness,
    }),
    vitest("server-alone", ["server"], { only: serverAlone, environment, niceness: serverNiceness }),
    playwright("gallery", { chromium }),
    chromium && vitest("components", ["components"]),
    vitest("units", unitProjects, { environment }),
    playwright("stories", { chromium }),
    postgres &&
      vitest("server-postgres-15", ["server"], {
        only: databaseTests,
        environment: { ...environment, TEST_POSTGRES: postgres, TEST_LEFT_OUT: embeddedAlone.join(" ") },
      }),
    playwright("firefox", { chromium }),
    playwright("pages", { chromium }),
    check(),
  ];
}

/** With all simulations, which take the same course on both versions; the server's tests run on this one. */
function lanesOfOtherNode(program, { chromium, unitsFolder }) {
  const environment = { TMPDIR: unitsFolder };
  return [
    vitest("units-other-node", ["wire", "web", "sim"], { only: unitsOfNode, program, environment }),
    playwright("stories-other-node", {
      chromium,
      program,
      projects: ["calls", "stories"],
      only: [`--grep=${storiesOnBoth}`],
    }),
  ];
}

/**
 * What the last changes affect, and always one call from the first press to the first line. The call begins first, then
 * the longest. Scenes are checked only in the variants that find most; the full run has all.
 */
function touchedLanes(chromium, unitsFolder) {
  const { since, files } = lastChanges(root);
  const { components, scenes, specs } = touchedTests(files);
  console.log(`Changed since ${since}: ${files.join(" ")}`);
  return [
    playwright("stories", {
      chromium,
      projects: ["calls", "stories", "pages"],
      only: ["e2e/stories/calls/first-call.spec.ts", ...specs],
    }),
    scenes.length > 0 &&
      playwright("gallery", {
        chromium,
        only: [`--grep=@(${scenes.join("|")})(?![\\w-])`],
        environment: { TEST_DEPTH: "0" },
      }),
    chromium && components.length > 0 && vitest("components", ["components"], { only: components }),
    vitest("units", [...unitProjects, "sim", "server"], {
      only: ["--passWithNoTests", `--changed=${since}`],
      environment: { TMPDIR: unitsFolder },
    }),
    check(),
  ];
}

function vitest(name, projects, { only = [], program = process.execPath, ...more } = {}) {
  const report = join(logFolder, `${name}.json`);
  const words = [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...projects.map((project) => `--project=${project}`),
    ...only,
    "--maxWorkers=1",
    // As in the browsers: CI repeats a failed test once and names it.
    ...(process.env.CI ? ["--retry=1"] : []),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  return lane(name, { program, arguments: words, report, ...more });
}

function playwright(name, { chromium, projects = [name], only = [], environment = {}, program = process.execPath }) {
  const report = join(logFolder, `${name}.json`);
  const words = [
    "node_modules/@playwright/test/cli.js",
    "test",
    ...only,
    ...projects.map((project) => `--project=${project}`),
    `--output=test-results/${name}`,
    ...(chromium ? ["--reporter=list,json"] : ["--reporter=json", "--list"]),
  ];
  return lane(name, {
    program,
    arguments: words,
    environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    report,
    isListed: !chromium,
    ...(projects.includes("calls") && { niceness: 0 }),
  });
}

/** npm by the path it was started from, because a shell may find another one, or none. */
function check() {
  const started = process.env.npm_execpath ?? "";
  const npm = started.endsWith("npm-cli.js") ? [process.execPath, started] : ["npm"];
  const [program, ...words] = [...npm, "run", "check"];
  // Its compilers are written in Go, and end before they need the memory that garbage collection would free, some 2.5
  // GiB.
  return lane("check", { program, arguments: words, environment: { GOGC: "off" } });
}

function lane(name, more) {
  return { name, niceness: usualNiceness, log: join(logFolder, `${name}.log`), ...more };
}

/** A tool that failed without a failed test, for example by an unhandled error, counts as failed. */
function outcomesOf({ name, report, isListed }, ending) {
  const read = report ? readReport(report) : [];
  const tests = isListed ? read.map((test) => (test.status === "skipped" ? { ...test, why: whyUnrun } : test)) : read;
  const isTold = ending === 0 || tests.some(({ status }) => status === "failed");
  return isTold ? tests : [...tests, outcome(`${name} ended with ${ending ?? "a signal"}`, "failed")];
}

/** The last line is for programs: `N passed, N failed`, and `, N skipped` if there are any. */
function summarise(tests) {
  const of = (...wanted) => tests.filter(({ status }) => wanted.includes(status));
  const told = ({ name, why }) => (why === "" ? name : `${name}: ${why}`);
  console.log(`\nSlowest ${slowestShown}:`);
  for (const { name, seconds } of tests.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowestShown))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  for (const test of of("flaky")) console.log(`Needed its second try: ${told(test)}`);
  for (const test of of("failed")) console.log(`Failed: ${told(test)}`);
  const skipped = of("skipped");
  for (const reason of new Set(skipped.map(({ why }) => why)))
    console.log(`Not run (${reason}): ${skipped.flatMap(({ name, why }) => (why === reason ? name : [])).join("; ")}`);
  console.log(`${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
  const strict = process.env.CI === "true";
  const failed = of("failed").length + (strict ? skipped.length : 0);
  const rest = strict || skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  console.log(`${of("passed", "flaky").length} passed, ${failed} failed${rest}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
