// Moves a new build of the web app into its folder while servers serve from it. Plain JavaScript without packages.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Builds whose chunks stay: the newest, and those that running servers and open pages may use. */
const buildsKept = 3;
/** Chunks of those builds, newest first. */
const buildsFile = ".builds.json";

/**
 * Moves a build into the folder of the web app, file by file, so that none is missing at any moment. Chunks of pages,
 * whose names change with their content, stay for two more builds; all other files of the previous build are removed.
 *
 * @param fresh the new build, in a folder on the same disk; removed afterwards.
 */
export function adoptBuild(folder, fresh) {
  const files = filesIn(fresh);
  const parts = files.filter(isPart);
  const before = buildsIn(folder).filter((build) => build.join() !== parts.join());
  const builds = [parts, ...before].slice(0, buildsKept);
  // Pages last, when their chunks are in place.
  for (const file of [...parts, ...files.filter((file) => !isPart(file))]) {
    const place = join(folder, file);
    mkdirSync(dirname(place), { recursive: true });
    renameSync(join(fresh, file), place);
  }
  rmSync(fresh, { recursive: true });
  const kept = new Set([...files, ...builds.flat()]);
  for (const file of filesIn(folder)) if (!kept.has(file)) rmSync(join(folder, file));
  writeFileSync(join(folder, buildsFile), JSON.stringify(builds));
}

function isPart(file) {
  return file.startsWith("assets/");
}

function buildsIn(folder) {
  const file = join(folder, buildsFile);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  return existsSync(folder) ? [filesIn(folder).filter(isPart)] : [];
}

/** Paths below the folder, in order. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}
