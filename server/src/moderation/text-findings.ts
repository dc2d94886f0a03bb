import { type Kysely, sql, type Transaction } from "kysely";
import { textRuleWritersMin, textRulesShownMax, textFindingsKeptMs } from "@fava/wire/limits.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { Database } from "#db/schema.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type { TextFindingEvent, TextFindingKind, TextFindingLog, TextPlace } from "#ports/text-rules.ts";
import type { RecordQueue } from "./record-queue.ts";
import { isRemovedInCalls } from "./delivered-text.ts";
import { countedWithinMs, excusedReadersMax, type TextReader, type TextVerdict, verdictOf } from "./text-policy.ts";
import { readTextRuleFiles } from "./text-rule-files.ts";

type Db = Kysely<Database>;
type Trx = Transaction<Database>;

interface TextFindingsOptions {
  db: Db;
  clock: Clock;
  recordQueue: Pick<RecordQueue, "add">;
}

/** What follows from findings, about which writer. `callId`: the call of the last line. */
export interface FollowingVerdict extends TextVerdict {
  readonly writerId: bigint;
  readonly callId: string | null;
  readonly text: string | null;
}

interface WriterPlace {
  readonly writerId: bigint;
  readonly place: TextPlace | "call";
}

/** What a writer disputes: a delivered line by its client id, or an undelivered text by the rules that matched it. */
interface Dispute extends WriterPlace {
  readonly what: { readonly lineRef: string } | { readonly ruleIds: readonly string[] };
}

type Counts = { readonly [Kind in TextFindingKind]?: number };

/** Records writer, place and rule, never the text. Servers share the records, so that all calls of a writer count. */
export class TextFindings implements TextFindingLog {
  readonly #options: TextFindingsOptions;
  readonly #followed = new Emitter<[FollowingVerdict]>();
  readonly #hits = new Map<TextFindingKind, number>();
  readonly #disputed = new Map<TextFindingKind, number>();

  constructor(options: TextFindingsOptions) {
    this.#options = options;
  }

  get figures(): { readonly hits: Counts; readonly disputed: Counts } {
    return { hits: Object.fromEntries(this.#hits), disputed: Object.fromEntries(this.#disputed) };
  }

  onVerdict(listener: (verdict: FollowingVerdict) => void): Disposable {
    return this.#followed.on(listener);
  }

  /** Records the `sure` findings of a text. Resolves after recording, and never rejects. */
  note(event: TextFindingEvent): Promise<void> {
    const findings = event.findings.filter(({ confidence }) => confidence === "sure");
    if (findings.length === 0) return Promise.resolve();
    const isKept = findings.some(({ kind }) => kind === "minor");
    const record = async () => {
      const verdict = await this.#record({ ...event, findings });
      if (!verdict) return;
      const { writerId, callId = null } = event;
      this.#followed.emit({ ...verdict, writerId, callId, text: event.text ?? null });
    };
    return this.#options.recordQueue.add(record, { isKept });
  }

  /** Marks findings as disputed, so that the policy ignores them up to a limit. Idempotent; ignores an unknown text. */
  async dispute({ writerId, place, what }: Dispute): Promise<void> {
    const { db, clock } = this.#options;
    const rows = await db
      .updateTable("text_findings")
      .set({ disputed_at: new Date(clock.nowMs()) })
      .where("writer_id", "=", writerId)
      .where("place", "=", place)
      .where("disputed_at", "is", null)
      .where((where) =>
        "lineRef" in what
          ? where("line_ref", "=", what.lineRef)
          : where.and([where("line_ref", "is", null), sql<boolean>`rule_id = any(${what.ruleIds.map(stableRuleId)})`]),
      )
      .returning("kind")
      .execute();
    for (const { kind } of rows) addOne(this.#disputed, kind);
  }

  async isDelivered({ writerId, place, lineRef }: WriterPlace & { readonly lineRef: string }): Promise<boolean> {
    const row = await this.#options.db
      .selectFrom("text_findings")
      .select("id")
      .where("writer_id", "=", writerId)
      .where("place", "=", place)
      .where("line_ref", "=", lineRef)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async lastUndelivered({ writerId, place }: WriterPlace): Promise<{ readonly readerId: bigint | null } | undefined> {
    return this.#options.db
      .selectFrom("text_findings")
      .select("reader_id as readerId")
      .where("writer_id", "=", writerId)
      .where("place", "=", place)
      .where("line_ref", "is", null)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
  }

  /** Records findings and returns the verdict; null for none, also for a line recorded before. */
  async #record(event: TextFindingEvent): Promise<TextVerdict | null> {
    const { db, clock } = this.#options;
    const { writerId, lineRef } = event;
    const at = new Date(clock.nowMs());
    const readerId = lineRef === null ? null : event.readerId;
    const { added, before } = await db.transaction().execute(async (trx) => {
      // Two servers could each record a third reader at once and count only two.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`text findings:${writerId}`}, 0))`.execute(trx);
      const readers = readerId === null ? [] : await readersOf(trx, writerId, new Date(at.getTime() - countedWithinMs));
      return { before: readers, added: await insert(trx, event, at) };
    });
    for (const kind of added) addOne(this.#hits, kind);
    return added.length === 0 ? null : verdictOf(before, { readerId, findings: event.findings });
  }
}

/** Writes one row per rule. Returns the kinds of new rows, and of refused texts that were sent again. */
async function insert(trx: Trx, event: TextFindingEvent, at: Date): Promise<TextFindingKind[]> {
  const { writerId, readerId, place, lineRef } = event;
  const byRule = new Map(event.findings.map(({ ruleId, kind }) => [stableRuleId(ruleId), kind]));
  const added: TextFindingKind[] = [];
  for (const [ruleId, kind] of byRule) {
    const { rows } = await sql`
      insert into text_findings (writer_id, reader_id, place, line_ref, kind, rule_id, at)
      values (${writerId}, ${readerId}, ${place}, ${lineRef}, ${kind}, ${ruleId}, ${at})
      on conflict (writer_id, place, coalesce(line_ref, ''), coalesce(reader_id, 0), rule_id)
        do update set at = excluded.at where text_findings.line_ref is null
      returning 1`.execute(trx);
    if (rows.length > 0) added.push(kind);
  }
  return added;
}

/**
 * The readers of a writer's findings since `since`. Leaves out findings that the writer disputes and the reader did not
 * report, for at most `excusedReadersMax` readers, since a bot could dispute every line.
 */
async function readersOf(trx: Trx, writerId: bigint, since: Date): Promise<TextReader[]> {
  const rows = await trx
    .selectFrom("text_findings")
    .select(["reader_id", "kind"])
    .select([
      sql<boolean>`bool_or(disputed_at is null or reported_at is not null)`.as("stands"),
      sql<Date>`min(disputed_at)`.as("disputedAt"),
    ])
    .where("writer_id", "=", writerId)
    .where("at", ">", since)
    .where("reader_id", "is not", null)
    .where("line_ref", "is not", null)
    .where("kind", "<>", "minor")
    .groupBy(["reader_id", "kind"])
    .orderBy("disputedAt")
    .execute();
  const excused = new Set(rows.flatMap(({ reader_id, stands }) => (stands ? [] : [reader_id])));
  const excusedFirst = new Set([...excused].slice(0, excusedReadersMax));
  const readers = new Map<bigint, boolean>();
  for (const { reader_id, kind, stands } of rows)
    if (reader_id !== null && (stands || !excusedFirst.has(reader_id)))
      readers.set(reader_id, (readers.get(reader_id) ?? false) || isRemovedInCalls({ kind }));
  return Array.from(readers, ([readerId, hadContacts]) => ({ readerId, hadContacts }));
}

/** Marks findings of the last day between a reporter and the reported writer. A dispute cannot excuse these. */
export async function markReported(
  trx: Trx,
  { writerId, readerId, at }: { writerId: bigint; readerId: bigint; at: Date },
): Promise<void> {
  await trx
    .updateTable("text_findings")
    .set({ reported_at: at })
    .where("writer_id", "=", writerId)
    .where("reader_id", "=", readerId)
    .where("at", ">", new Date(at.getTime() - countedWithinMs))
    .where("reported_at", "is", null)
    .execute();
}

function addOne(counts: Map<TextFindingKind, number>, kind: TextFindingKind): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

type RuleRates = OutputOf<Endpoints["adminTextRules"]>;

/** Marks a rule in the list if a larger share of its writers disputes it. */
const disputedShareMax = 0.2;

/** For each rule, how many writers it matched in 30 days and how many of them disputed it, the most disputed first. */
export async function ruleRates(db: Db, nowMs: number): Promise<RuleRates> {
  const { rows } = await sql<{ rule_id: string; kind: TextFindingKind; writers: bigint; disputed: bigint }>`
    select rule_id, kind, count(distinct writer_id) as writers,
      count(distinct writer_id) filter (where disputed_at is not null and reported_at is null) as disputed
    from text_findings where at > ${new Date(nowMs - textFindingsKeptMs)}
    group by rule_id, kind`.execute(db);
  const rates = rows.map(({ rule_id, kind, writers, disputed }) => {
    const share = Number(disputed) / Number(writers);
    const isMarked = Number(writers) >= textRuleWritersMin && share > disputedShareMax;
    const [, language = null, phrase = null] = /^([a-z]{2,3}(?:-[A-Z]{2})?):(.+)$/s.exec(rule_id) ?? [];
    return {
      kind,
      language,
      ...(ruleRows().byPhrase.get(rule_id) ?? { rule: rule_id, phrase }),
      writers: Number(writers),
      disputed: Number(disputed),
      is_marked: isMarked,
    };
  });
  const sorted = rates.toSorted(
    (one, other) =>
      Number(other.is_marked) - Number(one.is_marked) ||
      other.disputed / other.writers - one.disputed / one.writers ||
      other.writers - one.writers ||
      one.rule.localeCompare(other.rule),
  );
  return { rows: sorted.slice(0, textRulesShownMax) };
}

interface RuleRows {
  /** From `<language>:<row>` to `<language>:<phrase>`. */
  readonly byRow: ReadonlyMap<string, string>;
  /** From `<language>:<phrase>` to `<language>:<row>`, and the phrase with examples of its classes. */
  readonly byPhrase: ReadonlyMap<string, { readonly rule: string; readonly phrase: string }>;
}

const examplesMax = 3;

let knownRows: RuleRows | null = null;

function ruleRows(): RuleRows {
  if (knownRows) return knownRows;
  const byRow = new Map<string, string>();
  const byPhrase = new Map<string, { rule: string; phrase: string }>();
  for (const { language, classes, phrases } of readTextRuleFiles()) {
    for (const [index, { text, near = [] }] of phrases.entries()) {
      const written = text ?? near.join(" + ");
      const rule = `${language}:${index + 1}`;
      const phrase = written.replaceAll(/<(\w+)>/g, (name, key: string) => {
        const words = classes[key] ?? [name];
        return `(${words.slice(0, examplesMax).join("|")}${words.length > examplesMax ? "|…" : ""})`;
      });
      byRow.set(rule, `${language}:${written}`);
      byPhrase.set(`${language}:${written}`, { rule, phrase });
    }
  }
  knownRows = { byRow, byPhrase };
  return knownRows;
}

/** Names a rule by its phrase, because row numbers change when phrases are added and records live for 30 days. */
function stableRuleId(ruleId: string): string {
  return ruleRows().byRow.get(ruleId) ?? ruleId;
}
