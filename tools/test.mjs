// `npm test`: everything there is to check, from a fresh clone, in one command. `--unit` leaves the browsers out,
// `--changed` runs what uncommitted changes touch, or the last commit's. With CI=true a test that was not run is a failure.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepare, root } from "./lib/bootstrap.mjs";
import { lastChanges, touchedTests } from "./lib/changes.mjs";
import { otherNode, otherVersion } from "./lib/other-node.mjs";
import { openRunFolder, quickDirectory, removeRunFolder } from "./lib/run-folder.mjs";
import { runTasks } from "./lib/run-tasks.mjs";
import { systemPrograms } from "./lib/system-programs.mjs";
import { emptyReport, joinedReport, readPlaywrightReport, readVitestReport } from "./lib/test-reports.mjs";

const logFolder = join(root, ".cache/test");
/** What Playwright made of the tests' sources, by their content: begun anew when so many files of former sources lie there. */
const compiledFolder = join(root, ".cache/playwright");
const compiledFilesMax = 5_000;
/** Of what waits now and then for a browser, a clock or a disk, so many keep two cores busy. */
const sideBySide = 5;
/** Of everything but parts with calls, which show videos: what waits for the processor there costs more of it. */
const besidesCallsNiceness = 5;
const slowestShown = 20;
const unitProjects = ["wire", "tools", "web", "web-replacing", "sim"];
/** One call, one purchase and one conversation, with the server, in browsers. */
const storiesOnBoth = /\[(CALL-4|BEANS-314|MSG-80)\]/;
const withBrowsers = !process.argv.includes("--unit");
const whyUnrun = withBrowsers ? "no Chromium" : "--unit";

const startedMs = performance.now();
const report = prepare() ? await runEverything() : emptyReport(["preparing the checkout"]);
summarise(report);

async function runEverything() {
  const chromium = withBrowsers ? systemPrograms().chromium : null;
  const unitsFolder = openRunFolder(quickDirectory());
  const folder = openRunFolder();
  process.env.TMPDIR = folder;
  process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR = compiledFolder;
  if (existsSync(compiledFolder) && readdirSync(compiledFolder, { recursive: true }).length > compiledFilesMax)
    rmSync(compiledFolder, { recursive: true, force: true });
  if (chromium) process.env.CHROMIUM_PATH = chromium;
  try {
    const isWhole = !process.argv.includes("--changed");
    const otherProgram = isWhole ? otherNode(join(root, ".cache")) : null;
    const parts = isWhole ? partsOf({ chromium, unitsFolder, otherProgram }) : partsTouched(chromium, unitsFolder);
    for (const { reportFile } of parts) if (reportFile) rmSync(reportFile, { force: true });
    const results = await runTasks(
      parts.map(({ task, hasCalls }) => ({ ...task, niceness: hasCalls ? 0 : besidesCallsNiceness })),
      { sideBySide, cwd: root, logFolder },
    );
    const notRun = [
      ...(chromium ? [] : [{ name: "components", reason: whyUnrun }]),
      ...(otherProgram || !isWhole ? [] : [{ name: `Node.js ${otherVersion}`, reason: "it could not be installed" }]),
    ];
    return joinedReport([...parts.map((part, index) => reportOf(part, results[index])), { ...emptyReport(), notRun }]);
  } finally {
    removeRunFolder(folder);
    removeRunFolder(unitsFolder);
  }
}

/** The longest first, so that the cores are busy to the end. */
function partsOf({ chromium, unitsFolder, otherProgram }) {
  return [
    playwright("calls", { chromium }),
    playwright("gallery", { chromium }),
    vitest("server", ["server"], { environment: { TMPDIR: unitsFolder } }),
    vitest("components", ["components"], { wanted: chromium !== null }),
    vitest("units", unitProjects, { environment: { TMPDIR: unitsFolder } }),
    playwright("stories", { chromium }),
    playwright("pages", { chromium }),
    check(),
    ...onOtherNode(otherProgram, { chromium, unitsFolder }),
  ].filter((part) => part !== null);
}

/** Units and three stories on the other Node.js that is supported: the oldest, or the one of the image. */
function onOtherNode(program, { chromium, unitsFolder }) {
  if (!program) return [];
  const environment = { TMPDIR: unitsFolder };
  return [
    vitest("units-other-node", ["wire", "web", "web-replacing", "sim"], { program, environment }),
    playwright("stories-other-node", {
      program,
      chromium,
      projects: ["calls", "stories"],
      only: [`--grep=${storiesOnBoth.source}`],
    }),
  ];
}

/**
 * What the last changes touch, and in any case one call from the first press to the first word. The call begins first,
 * then the longest. Scenes are examined only in the ways that find most; the whole run has them all.
 */
function partsTouched(chromium, unitsFolder) {
  const { since, files } = lastChanges(root);
  const { components, scenes, specs } = touchedTests(files);
  console.log(`Changed since ${since}: ${files.join(" ")}`);
  const related = ["--passWithNoTests", `--changed=${since}`];
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
    components.length > 0 && vitest("components", ["components"], { wanted: chromium !== null, only: components }),
    vitest("units", [...unitProjects, "server"], { only: related, environment: { TMPDIR: unitsFolder } }),
    check(),
  ].filter(Boolean);
}

function vitest(name, projects, { wanted = true, only = [], environment = {}, program = process.execPath } = {}) {
  if (!wanted) return null;
  const reportFile = join(logFolder, `${name}.json`);
  return {
    reportFile,
    read: readVitestReport,
    task: {
      name,
      program,
      arguments: [
        "node_modules/vitest/vitest.mjs",
        "run",
        ...projects.map((project) => `--project=${project}`),
        ...only,
        "--maxWorkers=1",
        // As in the browsers: on a shared machine once more, and then by name.
        ...(process.env.CI ? ["--retry=1"] : []),
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${reportFile}`,
      ],
      environment,
    },
  };
}

function playwright(name, { chromium, projects = [name], only = [], environment = {}, program = process.execPath }) {
  const reportFile = join(logFolder, `${name}.json`);
  return {
    reportFile,
    hasCalls: projects.includes("calls"),
    read: chromium ? readPlaywrightReport : readUnrun,
    task: {
      name,
      program,
      arguments: [
        "node_modules/@playwright/test/cli.js",
        "test",
        ...only,
        ...projects.map((project) => `--project=${project}`),
        `--output=test-results/${name}`,
        ...(chromium ? ["--reporter=list,json"] : ["--reporter=json", "--list"]),
      ],
      environment: { ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    },
  };
}

function readUnrun(file) {
  const unrun = readPlaywrightReport(file);
  return { ...unrun, notRun: unrun.notRun.map(({ name }) => ({ name, reason: whyUnrun })) };
}

/** Its compilers are written in Go, and end before the memory that they would tidy is missed: some 2.5 GiB. */
function check() {
  return { task: { name: "check", ...npmScript("check"), environment: { GOGC: "off" } } };
}

/** npm by the path it was started from, because a shell may find another one, or none. */
function npmScript(name) {
  const started = process.env.npm_execpath ?? "";
  return started.endsWith("npm-cli.js")
    ? { program: process.execPath, arguments: [started, "run", name] }
    : { program: "npm", arguments: ["run", name] };
}

/** A tool that failed without a failed test, such as by an unhandled error, has failed all the same. */
function reportOf({ task, reportFile, read }, result) {
  const report = reportFile ? read(reportFile) : emptyReport();
  if (result === undefined) return { ...report, failures: [...report.failures, `${task.name} was stopped`] };
  if (result.status === 0 || report.failures.length > 0) return report;
  return { ...report, failures: [`${task.name} ended with ${result.status ?? "a signal"}`] };
}

/** The last line is for machines: `N passed, N failed`, and `, N skipped` where something was. */
function summarise({ passed, failures, notRun, flaky, timings }) {
  console.log(`\nSlowest ${slowestShown}:`);
  const slowest = timings.toSorted((one, other) => other.seconds - one.seconds).slice(0, slowestShown);
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  for (const name of flaky) console.log(`Needed its second try: ${name}`);
  for (const name of failures) console.log(`Failed: ${name}`);
  for (const reason of new Set(notRun.map((test) => test.reason))) {
    const names = notRun.filter((test) => test.reason === reason).map((test) => test.name);
    console.log(`Not run (${reason}): ${names.join("; ")}`);
  }
  console.log(`${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
  const strict = process.env.CI === "true";
  const failed = failures.length + (strict ? notRun.length : 0);
  const skipped = strict || notRun.length === 0 ? "" : `, ${notRun.length} skipped`;
  console.log(`${passed} passed, ${failed} failed${skipped}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
