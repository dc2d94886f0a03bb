import { createHash } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rmdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import type { Config } from "@fava/server/config.ts";
import { joinConfigured, restoreConfigured } from "@fava/server/db/configured.ts";
import { openDatabase } from "@fava/server/db/pool.ts";

type Places = Pick<Config, "databaseUrl" | "dataDirectory">;

interface Options {
  readonly config: Places;
  /** Target of a new backup, or source of a restore. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** Why a backup was not made or cannot be restored, as a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The contents of a backup. Written last, so that an interrupted backup has none. */
interface Manifest {
  readonly format: 1;
  /** By the database's clock; the backup has everything that was committed before. */
  readonly endedAt: string;
  /** Paths of folders, outer ones first. */
  readonly folders: readonly string[];
  /** SHA-256 of each file, in hex, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

const manifestName = "manifest.json";
const clusterFolder = "pgdata";
const dataFolder = "data";
const pieceBytes = 1_048_576;
const controlFile = "global/pg_control";
/** The database cluster, which is copied differently. */
const leftOutOfData = /^postgres$/;
/**
 * Files that PostgreSQL's manual excludes from a base backup: they are created again, or belong only to the running
 * server.
 */
const leftOutOfCluster =
  /^(?:postmaster\.(?:pid|opts)|current_logfiles|(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*|(?:.*\/)?(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*)|global\/pg_control)$/;

/**
 * Copies the embedded database and the files of the data folder while the server runs (rule START-101). A temporary
 * replication slot keeps the write-ahead log and ends with this connection, so a killed backup leaves nothing behind in
 * the database.
 *
 * @throws BackupError before it writes anything, if this cannot become a backup.
 */
export async function makeBackup({ config, folder, say }: Options): Promise<void> {
  const target = resolve(folder);
  if (config.databaseUrl !== null) {
    throw new BackupError(
      "DATABASE_URL names a server of your own: back it up with PostgreSQL's tools (docs/operations/backup.md)",
    );
  }
  if (`${target}${sep}`.startsWith(`${resolve(config.dataDirectory)}${sep}`)) {
    throw new BackupError(`${target} lies in the data folder: a backup there is lost with it`);
  }
  if (!(await isFree(target))) throw new BackupError(`${target} is not empty: name a folder that is not there yet`);
  if ((await lookAt(join(config.dataDirectory, "postgres"))) === null) {
    throw new BackupError(`there is no database in ${config.dataDirectory}: start the product once, or set DATA_DIR`);
  }
  const unfinished = `${target}.unfinished`;
  if (!(await isFree(unfinished))) {
    throw new BackupError(`${unfinished} is what an interrupted backup left: delete it, then try again`);
  }
  await mkdir(join(unfinished, dataFolder), { recursive: true, mode: 0o700 });
  const cluster = new Copy(join(unfinished, clusterFolder));
  const endedAt = await copyCluster(config, cluster, say);
  say("Copying pictures and secrets");
  const data = new Copy(join(unfinished, dataFolder));
  await data.takeFolder(config.dataDirectory, leftOutOfData);
  const manifest: Manifest = {
    format: 1,
    endedAt,
    folders: [...cluster.foldersUnder(unfinished), ...data.foldersUnder(unfinished)],
    files: { ...cluster.filesUnder(unfinished), ...data.filesUnder(unfinished) },
  };
  await writeSafely(join(unfinished, manifestName), `${JSON.stringify(manifest, null, 1)}\n`);
  await rmdir(target).catch(() => undefined);
  await rename(unfinished, target);
  say(`Backed up to ${target}, with everything up to ${endedAt}. It holds secrets: keep it as you keep those.`);
}

/** PostgreSQL's low-level backup, in the order of its manual. @returns the time up to which the backup is complete. */
async function copyCluster(config: Places, copy: Copy, say: Options["say"]): Promise<string> {
  await using server = await joinConfigured(config);
  await using database = openDatabase(server.url, { max: 1 });
  const connection = await database.pool.connect();
  try {
    const ask = async (question: string) => {
      const { rows } = await connection.query<Record<string, string>>(question);
      return rows[0] ?? {};
    };
    // A checkpoint of a busy database may take longer than the statement timeout.
    await ask("set statement_timeout = 0");
    await ask(`select pg_create_physical_replication_slot('fava_backup_${process.pid}', true, true)::text as slot`);
    const { directory = "", segment_bytes: segmentBytes = "" } = await ask(
      "select current_setting('data_directory') as directory, pg_size_bytes(current_setting('wal_segment_size'))::text as segment_bytes",
    );
    await ask("select pg_backup_start('fava', true)::text as lsn");
    say("Copying the database");
    await copy.takeFolder(directory, leftOutOfCluster);
    await copy.takeWhole(directory, controlFile);
    const { ended_at: endedAt = "" } = await ask(
      `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ended_at`,
    );
    const end = await ask(
      "select labelfile as label, spcmapfile as spaces, pg_walfile_name(lsn) as last from pg_backup_stop(false)",
    );
    const { label = "", spaces = "", last = "" } = end;
    if (spaces.trim() !== "") throw new BackupError("this database has tablespaces, which are not copied");
    const [, first = ""] = /^START WAL LOCATION: .*\(file ([\dA-F]{24})\)/m.exec(label) ?? [];
    for (const segment of await segmentsBetween(join(directory, "pg_wal"), {
      first,
      last,
      bytes: Number(segmentBytes),
    })) {
      await copy.take(join(directory, "pg_wal", segment), join("pg_wal", segment));
    }
    await copy.write("backup_label", label);
    return endedAt;
  } finally {
    // Closed instead of returned to the pool: this ends the slot and the backup in the database.
    connection.release(true);
  }
}

/** Names of the log's segments from the first to the last. @throws BackupError if one is missing. */
async function segmentsBetween(
  folder: string,
  { first, last, bytes }: { first: string; last: string; bytes: number },
): Promise<readonly string[]> {
  const found = (await readdir(folder)).filter((name) => /^[\dA-F]{24}$/.test(name) && name >= first && name <= last);
  const perLogFile = 2 ** 32 / bytes;
  const numberOf = (name: string) => Number(`0x${name.slice(8, 16)}`) * perLogFile + Number(`0x${name.slice(16)}`);
  if (first !== "" && found.length === numberOf(last) - numberOf(first) + 1) return found;
  throw new BackupError("a part of the database's log is gone before it was copied: try again");
}

/**
 * Restores a backup into an empty or missing data folder (rule START-102). It compares every file with the manifest
 * before it writes the first one; the database is moved into place last, as a whole.
 *
 * @throws BackupError if the backup is incomplete or the folder is not empty.
 */
export async function restoreBackup({ config, folder, say }: Options): Promise<void> {
  const source = resolve(folder);
  if (config.databaseUrl !== null) {
    throw new BackupError(
      "DATABASE_URL names a server of your own: restore it with PostgreSQL's tools (docs/operations/backup.md)",
    );
  }
  if (!(await isFree(config.dataDirectory))) {
    throw new BackupError(
      `${config.dataDirectory} is not empty, and nothing is overwritten: set DATA_DIR to a new folder`,
    );
  }
  const manifest = await readManifest(source);
  say("Comparing every file with the manifest");
  await compare(source, manifest);
  say("Copying");
  await copyBack(join(source, dataFolder), config.dataDirectory, partOf(manifest, dataFolder));
  await restoreConfigured(config, (directory) =>
    copyBack(join(source, clusterFolder), directory, partOf(manifest, clusterFolder)),
  );
  say(`Restored to ${config.dataDirectory}, with everything up to ${manifest.endedAt}. Now run: npm run ledger:check`);
}

async function readManifest(source: string): Promise<Manifest> {
  const refused = (why: string) => new BackupError(`${source} is no whole backup (${why}): nothing was restored`);
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(await readFile(join(source, manifestName), "utf8"));
  } catch (error) {
    throw refused(error instanceof SyntaxError ? "its manifest is torn" : "it has no manifest");
  }
  const { format, endedAt, folders, files } = manifest;
  if (format !== 1 || !endedAt || !folders || !files) throw refused("its manifest is of another version");
  if ([...folders, ...Object.keys(files)].some((path) => path.split(/[\\/]/).includes(".."))) {
    throw refused("its manifest leads out of it");
  }
  return { format, endedAt, folders, files };
}

async function compare(source: string, { files }: Manifest): Promise<void> {
  for (const [path, expected] of Object.entries(files)) {
    const found = await hashOf(join(source, path));
    if (found === expected) continue;
    const why = found === null ? `${path} is missing` : `${path} is not as it was written`;
    throw new BackupError(`${source} is no whole backup (${why}): nothing was restored`);
  }
}

/** The manifest's paths below a folder, relative to it. */
function partOf(
  { folders, files }: Manifest,
  folder: string,
): { folders: readonly string[]; files: readonly string[] } {
  const below = (paths: readonly string[]) =>
    paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return { folders: below(folders), files: below(Object.keys(files)) };
}

async function copyBack(from: string, to: string, part: ReturnType<typeof partOf>): Promise<void> {
  await mkdir(to, { recursive: true });
  const copy = new Copy(to);
  for (const path of part.folders) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  for (const path of part.files) await copy.take(join(from, path), path);
}

/** Copies into a folder and records paths and hashes. */
class Copy {
  readonly #root: string;
  readonly #files = new Map<string, string>();
  readonly #folders: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Copies everything below a folder except `leftOut`, including empty folders; paths are relative to it. */
  async takeFolder(from: string, leftOut: RegExp, below = ""): Promise<void> {
    await mkdir(join(this.#root, below), { recursive: true, mode: 0o700 });
    for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      // Folders whose files are all excluded stay as empty folders, because PostgreSQL needs them.
      if (leftOut.test(path)) continue;
      if (entry.isDirectory()) {
        this.#folders.push(path);
        await this.takeFolder(from, leftOut, path);
      } else if (entry.isFile()) await this.take(join(from, path), path);
    }
    if (below === "pg_wal") await this.#makeFolder("pg_wal/archive_status");
  }

  /**
   * Copies one file; ignores one that is gone, as files of a running database may be. It does not force the file to
   * disk, which would take most of the time with many small files: the manifest's hashes detect what a power cut
   * destroys, and PostgreSQL syncs all its files before it recovers from a backup.
   */
  async take(file: string, path: string): Promise<void> {
    await using source = await openIfThere(file);
    if (source === null) return;
    await using target = await open(join(this.#root, path), "wx", 0o600);
    const hash = createHash("sha256");
    for await (const piece of piecesOf(source)) {
      hash.update(piece);
      await target.writeFile(piece);
    }
    this.#files.set(path, hash.digest("hex"));
  }

  /**
   * Copies a small file that is written in place: it reads until two reads are equal, so that the copy never mixes two
   * states.
   */
  async takeWhole(from: string, path: string): Promise<void> {
    let before = await readFile(join(from, path));
    for (;;) {
      const now = await readFile(join(from, path));
      if (now.equals(before)) break;
      before = now;
    }
    await this.write(path, before);
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    await writeSafely(join(this.#root, path), content);
    this.#files.set(path, createHash("sha256").update(content).digest("hex"));
  }

  foldersUnder(top: string): readonly string[] {
    return this.#folders.map((path) => `${relative(top, this.#root)}/${path}`);
  }

  filesUnder(top: string): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#files].map(([path, hash]) => [`${relative(top, this.#root)}/${path}`, hash]));
  }

  async #makeFolder(path: string): Promise<void> {
    await mkdir(join(this.#root, path), { recursive: true, mode: 0o700 });
    this.#folders.push(path);
  }
}

async function* piecesOf(source: FileHandle): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(pieceBytes);
  for (;;) {
    const { bytesRead } = await source.read(piece, 0, pieceBytes, null);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

async function hashOf(file: string): Promise<string | null> {
  await using source = await openIfThere(file);
  if (source === null) return null;
  const hash = createHash("sha256");
  for await (const piece of piecesOf(source)) hash.update(piece);
  return hash.digest("hex");
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function writeSafely(file: string, content: string | Buffer): Promise<void> {
  await using target = await open(file, "wx", 0o600);
  await target.writeFile(content);
  await target.datasync();
}

async function lookAt(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Whether nothing exists at the path, or an empty folder. */
async function isFree(path: string): Promise<boolean> {
  const found = await lookAt(path);
  return found === null || (found.isDirectory() && (await readdir(path)).length === 0);
}
