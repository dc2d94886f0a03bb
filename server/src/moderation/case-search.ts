import { type Kysely, sql } from "kysely";
import { caseTextsFoundMax, caseTextSearchLengthMin, caseTextsSearchedMax } from "@fava/wire/limits.ts";
import type { CaseRow } from "@fava/wire/moderation.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import type { Database } from "#db/schema.ts";
import { badInput } from "#lib/errors.ts";
import type { EvidenceLine } from "#ports/moderation.ts";
import type { Viewer } from "./ban-policy.ts";
import { caseRow, visibleTo } from "./case-store.ts";
import type { EvidenceRow, EvidenceStore } from "./evidence-store.ts";

type Db = Kysely<Database>;

const readAtOnce = 16;
/** Texts of one search that are masked, at half a millisecond each. */
const masksMax = 500;
/** Letters of an excerpt before and after the found text. */
const aroundLetters = 50;

interface Found {
  readonly cases: CaseRow[];
  /** One for each case. */
  readonly excerpts: string[];
  readonly is_partial: boolean;
}

type Piece = Pick<EvidenceRow, "public_id" | "blob_key" | "kind" | "facts"> & { case_id: bigint; subject_id: bigint };

interface CaseSearchOptions {
  db: Db;
  evidence: Pick<EvidenceStore, "bytesOf">;
  mask: (text: string) => string;
}

/** Searches the texts of evidence, which are encrypted: it opens the newest ones, and matches after masking contacts. */
export class CaseSearch {
  readonly #options: CaseSearchOptions;

  constructor(options: CaseSearchOptions) {
    this.#options = options;
  }

  /**
   * Cases of the queue of reports that the viewer may see, newest text first. The log records each one shown, because
   * its excerpt is evidence.
   * @throws EndpointError 400 for a text that is too short.
   */
  async find(viewer: Viewer, text: string, at: Date): Promise<Found> {
    const wanted = foldText(text.trim());
    if (wanted.length < caseTextSearchLengthMin) throw badInput("too short", "text");
    const { db } = this.#options;
    const pieces = await newestTexts(db, viewer);
    const found = new Map<bigint, { excerpt: string; subjectId: bigint }>();
    const budget = { masks: masksMax };
    for (let start = 0; start < pieces.length && found.size <= caseTextsFoundMax; start += readAtOnce) {
      const batch = pieces.slice(start, start + readAtOnce).filter(({ case_id }) => !found.has(case_id));
      const excerpts = await Promise.all(batch.map((piece) => this.#excerptOf(piece, wanted, budget)));
      for (const [index, { case_id, subject_id: subjectId }] of batch.entries()) {
        const excerpt = excerpts[index];
        if (excerpt && !found.has(case_id)) found.set(case_id, { excerpt, subjectId });
      }
    }
    const isPartial = pieces.length === caseTextsSearchedMax || found.size > caseTextsFoundMax || budget.masks === 0;
    const shown = [...found].slice(0, caseTextsFoundMax);
    await logExcerpts(db, viewer, { at, cases: shown.map(([id, { subjectId }]) => ({ id, subjectId })) });
    const cases: CaseRow[] = [];
    const excerpts: string[] = [];
    for (const [id, { excerpt }] of shown) {
      const row = await caseRow(db, viewer, { id, at });
      if (!row) continue;
      cases.push(row);
      excerpts.push(excerpt);
    }
    return { cases, excerpts, is_partial: isPartial };
  }

  /** The part of a masked text around the first match; null without a match. */
  async #excerptOf(piece: Piece, wanted: string, budget: { masks: number }): Promise<string | null> {
    const { evidence, mask } = this.#options;
    const bytes = await evidence.bytesOf(piece);
    if (!bytes) return null;
    for (const text of textsOf(piece, bytes)) {
      // Masking is slow, and only replaces parts of a text.
      if (!foldText(text).includes(wanted)) continue;
      if (budget.masks === 0) return null;
      budget.masks -= 1;
      const masked = mask(text);
      const start = foldText(masked).indexOf(wanted);
      if (start >= 0) return excerpt(masked, { start, length: wanted.length });
    }
    return null;
  }
}

function newestTexts(db: Db, viewer: Viewer): Promise<Piece[]> {
  return sql<Piece>`
    select evidence.public_id, evidence.blob_key, evidence.kind, evidence.facts, evidence.case_id, cases.subject_id
    from evidence
    join cases on cases.id = evidence.case_id
    join users on users.id = cases.subject_id
    where evidence.kind in ('lines', 'note') and evidence.erased_at is null and evidence.blob_key is not null
      and cases.queue = 'reports' and ${visibleTo(viewer)}
    order by evidence.id desc limit ${caseTextsSearchedMax}`
    .execute(db)
    .then(({ rows }) => rows);
}

function textsOf({ kind, facts }: Piece, bytes: Buffer): string[] {
  const text = bytes.toString("utf8");
  const isPlain = kind === "note" || (JSON.parse(facts) as { message?: true }).message === true;
  if (isPlain) return [text];
  return (JSON.parse(text) as EvidenceLine[]).flatMap((line) =>
    line.withheld ? [line.text, line.withheld.original] : [line.text],
  );
}

/** Folding may change the length of a text, so the place of a match is a good guess. */
function excerpt(text: string, { start, length }: { start: number; length: number }): string {
  const from = Math.max(0, start - aroundLetters);
  const to = Math.min(text.length, start + length + aroundLetters);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).replaceAll(/\p{Surrogate}/gu, "")}${to < text.length ? "…" : ""}`;
}

async function logExcerpts(
  db: Db,
  viewer: Viewer,
  { at, cases }: { at: Date; cases: readonly { id: bigint; subjectId: bigint }[] },
): Promise<void> {
  if (cases.length === 0) return;
  const about = { at, actor_id: viewer.userId, kind: "look", detail: '{"search":true}' };
  await db
    .insertInto("audit_log")
    .values(cases.map(({ id, subjectId }) => ({ ...about, subject_id: subjectId, case_id: id })))
    .execute();
}
