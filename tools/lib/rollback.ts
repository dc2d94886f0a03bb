import { execFileSync } from "node:child_process";
import { ownMigrations, refusalOf } from "@fava/server/db/migrate.ts";

/** Why a version cannot be taken back, as a sentence for the operator. Nothing was changed. */
export class RollbackError extends Error {
  override readonly name = "RollbackError";
}

const migrationsFolder = "server/src/db/migrations";

interface Rollback {
  /** The checkout. */
  readonly root: string;
  /** A tag, such as `v1.2.0`. */
  readonly version: string;
  /** The migrations of the database. */
  readonly applied: readonly string[];
}

/**
 * Checks out a released version in place of the present one, if that version can use the database.
 * @throws RollbackError for an unknown version, uncommitted changes, or a schema that the version cannot use.
 */
export function rollBack({ root, version, applied }: Rollback): void {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  const tags = git("tag", "--list", "v*", "--sort=-version:refname").split("\n").filter(Boolean);
  if (!tags.includes(version)) {
    const known = tags.length === 0 ? "has no released version" : `has ${tags.slice(0, 5).join(", ")}`;
    throw new RollbackError(`"${version}" is no version of this checkout, which ${known}`);
  }
  if (git("status", "--porcelain", "--untracked-files=no") !== "")
    throw new RollbackError("the checkout has changed files; commit or remove the changes");
  const refusal = refusalOf(applied, migrationsOf(version, git));
  if (refusal !== null) throw new RollbackError(`${version} would not start: ${refusal}`);
  git("checkout", "--quiet", "--detach", version);
}

/** The names of the migrations that a version has. The baseline's name contains a checksum of its files. */
function migrationsOf(version: string, git: (...words: string[]) => string): readonly string[] {
  const later = git("ls-tree", "--name-only", version, `${migrationsFolder}/`)
    .split("\n")
    .flatMap((path) => /([^/]+)\.sql$/.exec(path)?.[1] ?? []);
  const folderOf = (at: string) => git("rev-parse", `${at}:${migrationsFolder}/0001-baseline`);
  const [baseline = ""] = Object.keys(ownMigrations());
  return [folderOf(version) === folderOf("HEAD") ? baseline : `0001-baseline of ${version}`, ...later];
}
