/** A file as the check reads it: its path relative to the root, and its text. */
export interface RuleSource {
  readonly path: string;
  readonly text: string;
}

const ruleId = /\b[A-Z][A-Z0-9]*-\d+\b/g;
/** Ids in brackets, one or several: `[MATCH-7]`, `[MATCH-7, CALL-62]`. */
const bracketed = /\[([A-Z][A-Z0-9]*-\d+(?:, ?[A-Z][A-Z0-9]*-\d+)*)\]/g;
/** The brackets at the start of a test name: `test("[MATCH-7] ...")`. */
const nameStart = /["'`](\[[A-Z][A-Z0-9]*-\d+(?:, ?[A-Z][A-Z0-9]*-\d+)*\])/g;
/** A comment or sentence that calls an id a rule, also over a line end. */
const calledRule = /\brules?[\s*/]+([A-Z][A-Z0-9]*-\d+)\b/g;
const testFile = /(?:\.test|\.spec|-contract)\.(?:tsx?|mjs)$/;

/**
 * Compares the pages of docs/rules with all other files. Returns one sentence for each rule that stands twice, each rule
 * without a test that has its id in its name, and each id that a test name, comment or document has but no page.
 */
export function ruleProblems(pages: readonly RuleSource[], sources: readonly RuleSource[]): string[] {
  const listed = pages.flatMap(({ text }) => idsIn(text, bracketed));
  const rules = new Set(listed);
  const prefixes = new Set(listed.map(prefixOf));
  const tested = new Set<string>();
  const unknown = new Set<string>();
  for (const { path, text } of sources) {
    const named = testFile.test(path) ? idsIn(text, nameStart) : [];
    for (const id of named) tested.add(id);
    const mentioned = (text.match(ruleId) ?? []).filter((id) => prefixes.has(prefixOf(id)));
    for (const id of [...named, ...mentioned, ...idsIn(text, calledRule)])
      if (!rules.has(id)) unknown.add(`${path} names ${id}, which is no rule`);
  }
  return [
    ...listed.filter((id, index) => listed.indexOf(id) !== index).map((id) => `${id} stands twice in docs/rules`),
    ...[...rules].filter((id) => !tested.has(id)).map((id) => `${id} has no test with its id in the name`),
    ...unknown,
  ].toSorted();
}

/** All ids of docs/rules, each once. */
export function rulesOf(pages: readonly RuleSource[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ text }) => idsIn(text, bracketed)));
}

function idsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, ids = ""]) => ids.match(ruleId) ?? []);
}

function prefixOf(id: string): string {
  return id.slice(0, id.lastIndexOf("-"));
}
