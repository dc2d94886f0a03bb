import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import type { Kysely } from "kysely";
import type { AddressSeal } from "#db/mail-outbox.ts";
import type { Database } from "#db/schema.ts";
import { catalogText } from "#lib/catalog-text.ts";
import type { Blobs } from "#ports/blobs.ts";
import { decisions } from "./export-decisions.ts";
import type { Entry } from "./export-queries.ts";
import * as queries from "./export-queries.ts";

interface ExportOrder {
  userId: bigint;
  at: Date;
  language: string;
  /** Receives the progress in percent. The export stops if this rejects. */
  onPercent: (percent: number) => Promise<void>;
}

const entriesAtOnce = 100;

const lists: Readonly<
  Record<
    Exclude<ExportFileName, "profile.json" | "reports.json">,
    (db: Kysely<Database>, userId: bigint) => AsyncIterable<Entry>
  >
> = {
  "messages.json": queries.messages,
  "relations.json": queries.relations,
  "calls.json": queries.calls,
  "beans.json": queries.beans,
  "orders.json": queries.orders,
  "decisions.json": decisions,
  "sign-ins.json": queries.signIns,
  "stopped-texts.json": queries.stoppedTexts,
};

interface ExportSources {
  db: Kysely<Database>;
  blobs: Pick<Blobs, "get">;
  readNote: queries.ReadNote;
  addresses: Pick<AddressSeal, "open">;
}

/** Writes all personal data of a user into one zip (rule DATA-30). */
export async function writeExport(
  { db, blobs, readNote, addresses }: ExportSources,
  { userId, at, language, onPercent }: ExportOrder,
): Promise<Buffer> {
  const zip = new ExportZip(at);
  const profile = { ...(await queries.profile(db, userId)), ...(await queries.mails(db, userId, addresses)) };
  const about = { account: String(profile["user_no"]), day: at.toISOString().slice(0, 10) };
  await zip.addText("README.txt", once(readmeText(language, about)));
  const pictures = await queries.pictures(db, userId);
  const steps = exportFileNames.length + pictures.length;
  let done = 0;
  const step = () => onPercent(Math.floor((100 * (done += 1)) / (steps + 1)));
  const textOf = (name: ExportFileName) => {
    if (name === "profile.json") return once(`${json(profile)}\n`);
    return listText(name === "reports.json" ? queries.reports(db, userId, readNote) : lists[name](db, userId));
  };
  for (const name of exportFileNames) {
    await zip.addText(name, textOf(name));
    await step();
  }
  for (const { name, key } of pictures) {
    const bytes = await blobs.get(key);
    if (bytes) zip.addBytes(`photos/${name}`, bytes);
    await step();
  }
  return zip.end();
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* listText(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  let lines: string[] = [];
  let isFirst = true;
  yield "[";
  for await (const entry of entries) {
    lines.push(`${isFirst ? "" : ","}\n${json(entry)}`);
    isFirst = false;
    if (lines.length < entriesAtOnce) continue;
    yield lines.join("");
    lines = [];
  }
  yield `${lines.join("")}\n]\n`;
}

/** As JSON. Ids and beans that a JSON number cannot hold become strings. */
function json(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "bigint") return part;
    return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
  });
}

/** Limits memory: joining the zip holds it twice, and two exports run at once. Millions of messages fit. */
const zipBytesMax = 64_000_000;

export class ExportTooLargeError extends Error {
  override readonly name = "ExportTooLargeError";
}

/** Writes files into one zip in pieces, so that memory holds only compressed data. */
export class ExportZip {
  readonly #chunks: Uint8Array[] = [];
  readonly #mtime: Date;
  readonly #zip: Zip;
  #size = 0;
  #error: Error | null = null;

  constructor(at: Date) {
    this.#mtime = at;
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#error ??= error;
      else this.#chunks.push(chunk);
      this.#size += chunk?.length ?? 0;
    });
  }

  async addText(name: string, parts: AsyncIterable<string>): Promise<void> {
    const file = new ZipDeflate(name);
    file.mtime = this.#mtime;
    this.#zip.add(file);
    for await (const part of parts) {
      file.push(Buffer.from(part));
      this.#check();
    }
    file.push(new Uint8Array(0), true);
  }

  addBytes(name: string, bytes: Uint8Array): void {
    const file = new ZipPassThrough(name);
    file.mtime = this.#mtime;
    this.#zip.add(file);
    file.push(bytes, true);
    this.#check();
  }

  /** The whole zip; nothing can be added afterwards. */
  end(): Buffer {
    this.#zip.end();
    this.#check();
    return Buffer.concat(this.#chunks);
  }

  #check(): void {
    if (this.#error) throw this.#error;
    if (this.#size > zipBytesMax) throw new ExportTooLargeError(`more than ${zipBytesMax} bytes`);
  }
}

export const exportFileNames = [
  "profile.json",
  "messages.json",
  "relations.json",
  "calls.json",
  "beans.json",
  "orders.json",
  "reports.json",
  "decisions.json",
  "sign-ins.json",
  "stopped-texts.json",
] as const;
type ExportFileName = (typeof exportFileNames)[number];

export function readmeText(language: string, about: { account: string; day: string }): string {
  const lines = [...exportFileNames, "photos/"].map((name) => {
    const topic = name.replace(/\.json$|\/$/, "");
    return `${name}: ${catalogText(language, `export.${topic}`)}`;
  });
  const [title, intro, end] = ["title", "intro", "end"].map((part) => catalogText(language, `export.${part}`, about));
  return `${[title, "", intro, "", ...lines, "", end].join("\r\n")}\r\n`;
}
