import type { Kysely } from "kysely";
import type { Database } from "#db/schema.ts";
import type { Blobs } from "#ports/blobs.ts";
import { decisions } from "./export-decisions.ts";
import type { Entry } from "./export-paging.ts";
import * as queries from "./export-queries.ts";
import { exportFileNames, type ExportFileName, readmeText } from "./export-texts.ts";
import { ExportZip } from "./export-zip.ts";

export interface ExportOrder {
  userId: bigint;
  at: Date;
  /** Of the explanations in it. */
  language: string;
  /** Hears how far it is; may reject to break it off. */
  onPercent: (percent: number) => Promise<void>;
}

const entriesAtOnce = 100;

const lists: Readonly<
  Record<Exclude<ExportFileName, "profile.json">, (db: Kysely<Database>, userId: bigint) => AsyncIterable<Entry>>
> = {
  "messages.json": queries.messages,
  "relations.json": queries.relations,
  "calls.json": queries.calls,
  "beans.json": queries.beans,
  "orders.json": queries.orders,
  "reports.json": queries.reports,
  "decisions.json": decisions,
  "sign-ins.json": queries.signIns,
  "stopped-texts.json": queries.stoppedTexts,
};

/** Everything kept about a person as one zip (rule DATA-30). */
export async function writeExport(
  { db, blobs }: { db: Kysely<Database>; blobs: Pick<Blobs, "get"> },
  { userId, at, language, onPercent }: ExportOrder,
): Promise<Buffer> {
  const zip = new ExportZip(at);
  const profile = await queries.profile(db, userId);
  const about = { account: String(profile["user_no"]), day: at.toISOString().slice(0, 10) };
  await zip.addText("README.txt", once(readmeText(language, about)));
  const pictures = await queries.pictures(db, userId);
  const steps = exportFileNames.length + pictures.length;
  let done = 0;
  const step = () => onPercent(Math.floor((100 * (done += 1)) / (steps + 1)));
  for (const name of exportFileNames) {
    const text = name === "profile.json" ? once(`${json(profile)}\n`) : listText(lists[name](db, userId));
    await zip.addText(name, text);
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

/** A JSON array, a few entries at a time. */
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

/** Ids and beans are wider than a JSON number; they stand as text where they would lose digits. */
function json(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "bigint") return part;
    return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
  });
}
