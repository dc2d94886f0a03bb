import type { PhraseKind, PhraseRow, TextRuleFile } from "./text-rule-files.ts";
import {
  endsOf,
  firstWords,
  PhraseBook,
  type Reading,
  requiredWords,
  type Sequence,
  tellingWords,
} from "./phrase-book.ts";
import { Gap, someToken, type Token, tokensOf } from "./text-tokens.ts";
import { hasContactSign } from "./contact-signs.ts";
import { areWordBorders } from "./word-borders.ts";

/** A phrase that stands in a text; places are UTF-16 units of it, the end excluded. */
export interface PhraseFound {
  readonly start: number;
  readonly end: number;
  readonly kind: PhraseKind;
  readonly language: string;
  readonly confidence: "sure" | "likely";
  /** File and row, such as `en:12`. */
  readonly ruleId: string;
}

interface Rule {
  readonly id: string;
  readonly row: PhraseRow;
  /** What has to stand in a match: the phrase, or all parts of a `near` row one behind the other. */
  readonly sequence: Sequence;
  /** The parts of a `near` row, none for a phrase. */
  readonly parts: readonly Part[];
  /** The words with which it may begin, null where these may be any. */
  readonly firsts: ReadonlySet<number> | null;
  readonly unless: readonly Sequence[];
  readonly language: LanguageRules;
}

/** A phrase that stands in any order beside others, with the words with which it may begin. */
interface Part {
  readonly sequence: Sequence;
  readonly firsts: ReadonlySet<number> | null;
}

interface Around {
  readonly language: string;
  readonly words: number;
  readonly counts: ReadonlyMap<string, number>;
}

interface LanguageRules {
  readonly language: string;
  readonly negations: readonly Sequence[];
  readonly reported: readonly Sequence[];
  readonly clauseBreaks: readonly Sequence[];
}

/** How often a text was compared with a phrase or with words that turn one. */
interface Work {
  comparisons: number;
}

/** What words do to a phrase near them. */
interface Turn {
  readonly breaks: boolean;
  readonly negates: boolean;
  readonly reports: boolean;
}

/** A text while it is compared, with what is known of it so far. */
interface Compared {
  readonly tokens: readonly Read[];
  readonly work: Work;
  readonly borders: Map<string, boolean>;
  readonly turns: Map<LanguageRules, Turn[]>;
  spoken?: ReadonlyMap<string, number>;
}

/** Where each word of the lists stands in a text. */
type Places = ReadonlyMap<number, readonly number[]>;

/** The tokens from the first to the one before `end`; `members` are the parts of a `near` row in it, by their place. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly Hit[];
}

interface Hit {
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** A token with what it may be read as, and its place in a word that is made of several. */
interface Read {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isSign: boolean;
  readonly gap: Gap;
  readonly ids: readonly number[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const wordsAround = 5;
const signsAround = 9;
/** How often a text is compared with a phrase or its conditions; what was found until then is all that is found. */
export const comparisonsMax = 12_000;
/** After this many sure findings the rest of a text cannot change the result. */
const sureFindingsMax = 12;
const unlessBefore = 8;
const wordsAfter = 3;
/** How many tokens the parts of a `near` row take at most, where it does not say. */
const nearWithin = 12;
const lettersOfOneMax = 6;
const spelledMin = 3;
const digitWordsMin = 4;
const spelledMax = 48;
const spelledGapMax = 3;
const gapSignsMax = 12;
const foreignWordsMin = 3;
const sentenceStart = /^\p{Lu}\p{Ll}/u;
/** The verb and its negation stand behind what they are about. */
const verbLast = new Set(["tr", "az", "uz", "ja", "ko", "hi", "ur"]);
const writtenIn: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{Script=Arabic}/u, ["ar", "ur", "fa"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ["ja"]],
  [/\p{Script=Han}/u, ["zh-CN", "ja"]],
  [/\p{Script=Hangul}/u, ["ko"]],
  [/\p{Script=Thai}/u, ["th"]],
  [/\p{Script=Cyrillic}/u, ["ru", "uk", "uz"]],
  [/\p{Script=Greek}/u, ["el"]],
  [/\p{Script=Devanagari}/u, ["hi"]],
];

/** Finds the phrases of the text rules (rules TEXT-60 to TEXT-63, TEXT-154, TEXT-155, TEXT-660 to TEXT-665). */
export class PhraseScanner {
  readonly #book = new PhraseBook();
  readonly #languages: LanguageRules[] = [];
  readonly #rules: readonly Rule[];
  /** Phrases by the words of which one has to stand in each; those about minors are compared first. */
  readonly #byTelling = new Map<number, Rule[]>();

  /** Of the phrases that a text was compared with, the parts that they must have. */
  readonly #required = new Map<Rule, readonly ReadonlySet<number>[]>();

  constructor(files: readonly TextRuleFile[], contacts: { words: readonly string[]; digits: readonly string[] }) {
    this.#book.noteContacts(contacts);
    this.#rules = files.flatMap((file) => this.#rulesOf(file));
    for (const { sequence } of this.#rules) this.#book.countUses(sequence);
    for (const rule of this.#rules)
      for (const id of tellingWords(rule.sequence, (word) => this.#book.frequency(word))) {
        this.#book.noteTelling([id]);
        const rules = this.#byTelling.get(id);
        if (rules) rules.push(rule);
        else this.#byTelling.set(id, [rule]);
      }
  }

  #rulesOf(file: TextRuleFile): Rule[] {
    const all = (phrases: readonly string[]) => phrases.map((phrase) => this.#book.compile(phrase, file));
    const language: LanguageRules = {
      language: file.language,
      negations: all(file.negations),
      reported: all(file.reported),
      clauseBreaks: all(file.clauseBreaks),
    };
    this.#languages.push(language);
    return file.phrases.map((row, at) => {
      const parts = all(row.near ?? []).map((part) => ({ sequence: part, firsts: firstWords(part) }));
      const sequence =
        row.text === undefined ? parts.flatMap((part) => part.sequence) : this.#book.compile(row.text, file);
      const id = `${file.language}:${at + 1}`;
      return { id, row, sequence, parts, firsts: firstWords(sequence), unless: all(row.unless), language };
    });
  }

  /**
   * The phrases in a text, by their place.
   *
   * @param languages those of the writer and the reader; without them every language may be theirs.
   */
  find(text: string, languages?: ReadonlySet<string>, work: Work = { comparisons: 0 }): PhraseFound[] {
    const compared: Compared = { tokens: this.#readingOf(text), work, borders: new Map(), turns: new Map() };
    const { tokens } = compared;
    const places = placesOf(tokens);
    const found: PhraseFound[] = [];
    let sureFindings = 0;
    for (const rule of this.#rulesFor(places))
      for (const { start, end } of this.#matchesOf(rule, compared, places)) {
        if (sureFindings >= sureFindingsMax) break;
        const around = this.#aroundOf(compared, start, end);
        const finding = findingOf(rule, { tokens, start, end, languages, around });
        if (finding.confidence === "sure") sureFindings += 1;
        found.push(finding);
      }
    return found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  }

  /** Where a rule matches and means what it says; matches do not overlap. */
  *#matchesOf(rule: Rule, compared: Compared, places: Places): Generator<Stretch> {
    if (rule.parts.length > 0) {
      for (const stretch of nearMatches(rule, compared, places))
        if (!this.#isInnocent(rule, compared, stretch)) yield stretch;
      return;
    }
    let next = 0;
    for (const start of startsOf(rule.firsts, places, compared.tokens)) {
      if (compared.work.comparisons >= comparisonsMax) return;
      if (start < next) continue;
      const end = this.#endOf(rule, compared, start);
      if (end === undefined) continue;
      yield { start, end };
      next = end;
    }
  }

  /** The phrases of which all that they must have stands in a text, those about minors first. */
  #rulesFor(places: Places): Rule[] {
    const rules = new Set<Rule>();
    for (const id of places.keys()) for (const rule of this.#byTelling.get(id) ?? []) rules.add(rule);
    const whole = [...rules].filter((rule) => this.#isWholeIn(rule, places));
    const isMinor = ({ row }: Rule) => row.kind === "minor";
    return [...whole.filter(isMinor), ...whole.filter((rule) => !isMinor(rule))];
  }

  /**
   * What has to be looked for in a text, which is nothing in most: phrases where a word tells of one or letters stand one
   * by one, contact data where it has a sign or a word of such.
   */
  look(text: string): { phrases: boolean; contacts: boolean } {
    let letters = 0;
    let digits = 0;
    let phrases = false;
    let contacts = hasContactSign(text);
    someToken(text, (start, end, isSign) => {
      const { isTelling, letter, isContact, isDigit } = this.#book.read(text.slice(start, end));
      letters = letter === "" || isSign ? 0 : letters + 1;
      if (isDigit) digits += 1;
      phrases ||= isTelling || letters >= spelledMin;
      contacts ||= isContact || digits >= digitWordsMin;
      return phrases && contacts;
    });
    return { phrases, contacts };
  }

  /** Whether each part that a phrase must have is among the words of a text. */
  #isWholeIn(rule: Rule, words: ReadonlyMap<number, unknown>): boolean {
    let required = this.#required.get(rule);
    if (!required) this.#required.set(rule, (required = requiredWords(rule.sequence)));
    return required.every((part) => {
      for (const word of part.size < words.size ? part : words.keys())
        if (part.has(word) && words.has(word)) return true;
      return false;
    });
  }

  /** Where the longest match of a phrase ends that begins at a token and means what it says. */
  #endOf(rule: Rule, compared: Compared, start: number): number | undefined {
    const end = longestEnd(compared, rule.sequence, start);
    return end === undefined || this.#isInnocent(rule, compared, { start, end }) ? undefined : end;
  }

  /** Whether a longer phrase excuses a match, or the writer refuses it or reports what another person said. */
  #isInnocent(rule: Rule, compared: Compared, match: Stretch): boolean {
    if (isExcused(rule, compared, match)) return true;
    if (!rule.row.negatable) return false;
    // Many borrow words of another language, and refuse in their own.
    const around = this.#aroundOf(compared, match.start, match.end);
    const turning = this.#languages.filter(
      (one) => one === rule.language || one.language === "en" || one.language === around.language,
    );
    return turning.some((language) => isTurned(language, compared, match));
  }

  /** The language of which most words are around a phrase, and how many of them. */
  #aroundOf(compared: Compared, start: number, end: number): Around {
    compared.spoken ??= this.#book.languagesIn(compared.tokens);
    const counts = new Map(compared.spoken);
    for (const [language, inside] of this.#book.languagesIn(compared.tokens.slice(start, end)))
      counts.set(language, (counts.get(language) ?? 0) - inside);
    let most = { language: "", words: 0 };
    for (const [language, words] of counts) if (words > most.words) most = { language, words };
    return { ...most, counts };
  }

  #readingOf(text: string): Read[] {
    const tokens = tokensOf(text);
    const reads: Read[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      const spelled = this.#spelledAt(tokens, at);
      if (spelled) {
        reads.push(...readsOf(spelled.pieces, { ...tokens[at]!, end: tokens[spelled.last]!.end }, true));
        at = spelled.last;
      } else this.#readWord(tokens[at]!, reads);
    }
    return reads;
  }

  #readWord(token: Token, reads: Read[]): void {
    const reading = this.#book.read(token.text);
    if (reading.pieces.length > 0) reads.push(...readsOf(reading.pieces, token, false));
    else if (reading.ids.length === 0 && reading.isTelling)
      // The sign stands for itself: "hi!there".
      for (const part of token.text.matchAll(/[^@$!|€]+/g)) {
        const start = token.start + part.index;
        const gap = part.index === 0 ? token.gap : Gap.sentence;
        const ids = this.#book.read(part[0]).ids;
        reads.push({
          start,
          end: start + part[0].length,
          text: part[0],
          isSign: false,
          gap,
          ids,
          isFirst: true,
          isLast: true,
        });
      }
    else {
      const { start, end, text, isSign, gap } = token;
      reads.push({ start, end, text, isSign, gap, ids: reading.ids, isFirst: true, isLast: true });
    }
  }

  /** Letters that stand one by one, such as "k i l l", as the words that they spell. */
  #spelledAt(tokens: readonly Token[], first: number): { last: number; pieces: readonly Reading[] } | undefined {
    let letters = this.#letterOf(tokens[first]!);
    if (letters === "" || (first > 0 && isNear(tokens, first) && this.#letterOf(tokens[first - 1]!) !== ""))
      return undefined;
    let last = first;
    while (last + 1 < tokens.length && last - first < spelledMax && isNear(tokens, last + 1)) {
      const letter = this.#letterOf(tokens[last + 1]!);
      if (letter === "") break;
      letters += letter;
      last += 1;
    }
    if (last - first + 1 < spelledMin) return undefined;
    const pieces = this.#book.split(letters);
    return pieces.length > 0 && pieces.length <= (last - first + 1) / 2 ? { last, pieces } : undefined;
  }

  #letterOf({ text, isSign }: Token): string {
    return isSign || text.length > lettersOfOneMax ? "" : this.#book.read(text).letter;
  }
}

function isNear(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.start - tokens[at - 1]!.end <= spelledGapMax;
}

/** `isSpelled`: each word is one of its own, and not only all of them together. */
function readsOf(pieces: readonly Reading[], token: Token, isSpelled: boolean): Read[] {
  return pieces.map(({ ids }, at) => ({
    start: token.start,
    end: token.end,
    text: token.text,
    isSign: false,
    gap: at === 0 ? token.gap : Gap.none,
    ids,
    isFirst: isSpelled || at === 0,
    isLast: isSpelled || at === pieces.length - 1,
  }));
}

/** Phrases do not reach into a sentence that begins with a capital, nor over more than a few signs. */
function isOneSentence(tokens: readonly Read[], start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1) {
    const token = tokens[at]!;
    if (token.start - tokens[at - 1]!.end > gapSignsMax) return false;
    if (token.gap === Gap.sentence && sentenceStart.test(token.text)) return false;
  }
  return true;
}

/** Where the longest match of a phrase ends that begins at a token, with borders of words at both ends. */
function longestEnd(compared: Compared, sequence: Sequence, start: number): number | undefined {
  const { tokens } = compared;
  if (!tokens[start]!.isFirst) return undefined;
  return endsIn(compared, sequence, start).findLast(
    (place) => tokens[place - 1]!.isLast && isOneSentence(tokens, start, place) && areBordersIn(compared, start, place),
  );
}

/** The shortest stretches in which each part of a `near` row stands, without overlap of parts or stretches. */
function* nearMatches({ parts, row }: Rule, compared: Compared, places: Places): Generator<Stretch> {
  const hits: Hit[] = [];
  for (const [part, { sequence, firsts }] of parts.entries()) {
    const known = hits.length;
    for (const start of startsOf(firsts, places, compared.tokens)) {
      if (compared.work.comparisons >= comparisonsMax) return;
      const end = longestEnd(compared, sequence, start);
      if (end !== undefined) hits.push({ part, start, end });
    }
    if (hits.length === known) return;
  }
  const latest = new Map<number, Hit>();
  for (const hit of hits.toSorted((one, other) => one.start - other.start)) {
    latest.set(hit.part, hit);
    if (latest.size < parts.length) continue;
    const members = [...latest.values()].toSorted((one, other) => one.start - other.start);
    const start = members[0]!.start;
    const end = Math.max(...members.map((member) => member.end));
    const isApart = members.every((member, at) => at === 0 || members[at - 1]!.end <= member.start);
    if (!isApart || end - start > (row.within ?? nearWithin)) continue;
    yield { start, end, members };
    latest.clear();
  }
}

/**
 * Whether a longer phrase, in which this one is innocent, reaches over it to one side at least; for a `near` row, whether
 * such a phrase stands anywhere in it or reaches into it.
 */
function isExcused({ unless, parts }: Rule, compared: Compared, found: Stretch): boolean {
  return unless.some((sequence) => {
    for (let at = Math.max(0, found.start - unlessBefore); at < found.end; at += 1)
      if (
        endsIn(compared, sequence, at).some((end) =>
          parts.length > 0 ? end > found.start : at < found.start ? end >= found.end : end > found.end,
        )
      )
        return true;
    return false;
  });
}

/** Whether the writer refuses, or reports what another person said, in the same clause. */
function isTurned(rules: LanguageRules, compared: Compared, { start, end, members = [] }: Stretch): boolean {
  const { tokens } = compared;
  for (const [at, member] of members.entries())
    for (let place = member.end; place < (members[at + 1]?.start ?? member.end); place += 1) {
      const turn = turnAt(rules, compared, place);
      if (turn.negates || turn.reports) return true;
    }
  const around = tokens[start]!.isSign ? signsAround : wordsAround;
  let isSameClause = true;
  for (let at = start - 1; at >= Math.max(0, start - around); at -= 1) {
    const { gap } = tokens[at + 1]!;
    const turn = turnAt(rules, compared, at);
    if (gap === Gap.sentence || turn.breaks) break;
    if (gap === Gap.comma) isSameClause = false;
    if ((isSameClause && turn.negates) || turn.reports) return true;
  }
  if (!verbLast.has(rules.language)) return false;
  for (let at = end; at < Math.min(tokens.length, end + (tokens[start]!.isSign ? signsAround : wordsAfter)); at += 1) {
    const turn = turnAt(rules, compared, at);
    if (tokens[at]!.gap >= Gap.sentence || turn.breaks) return false;
    if (turn.negates || turn.reports) return true;
  }
  return false;
}

/** What the words that begin at a place do to a phrase near them; looked for once a text. */
function turnAt(rules: LanguageRules, compared: Compared, at: number): Turn {
  let turns = compared.turns.get(rules);
  if (!turns) compared.turns.set(rules, (turns = []));
  const isAt = (phrases: readonly Sequence[]) => phrases.some((phrase) => endsIn(compared, phrase, at).length > 0);
  return (turns[at] ??= {
    breaks: isAt(rules.clauseBreaks),
    negates: isAt(rules.negations),
    reports: isAt(rules.reported),
  });
}

function endsIn({ tokens, work }: Compared, sequence: Sequence, start: number): readonly number[] {
  let firsts = firstsOfConditions.get(sequence);
  if (firsts === undefined) firstsOfConditions.set(sequence, (firsts = firstWords(sequence)));
  if (firsts && !tokens[start]!.ids.some((id) => firsts.has(id))) return [];
  work.comparisons += 1;
  return endsOf(sequence, tokens, start);
}

/** The words with which what a text was compared with may begin, null where these may be any. */
const firstsOfConditions = new WeakMap<Sequence, ReadonlySet<number> | null>();

function areBordersIn({ tokens, borders }: Compared, start: number, end: number): boolean {
  const key = `${start} ${end}`;
  let are = borders.get(key);
  if (are === undefined) borders.set(key, (are = areWordBorders(tokens, start, end)));
  return are;
}

/** Where each word of the lists stands in a text. */
function placesOf(tokens: readonly Read[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [at, { ids }] of tokens.entries())
    for (const id of ids) {
      const those = places.get(id);
      if (those) those.push(at);
      else places.set(id, [at]);
    }
  return places;
}

/** Where a phrase may begin, in their order. */
function startsOf(firsts: ReadonlySet<number> | null, places: Places, tokens: readonly Read[]): Iterable<number> {
  if (!firsts) return tokens.keys();
  const starts = new Set<number>();
  for (const id of firsts.size < places.size ? firsts : places.keys())
    if (firsts.has(id)) for (const at of places.get(id) ?? []) starts.add(at);
  return [...starts].toSorted((one, other) => one - other);
}

function findingOf(
  { id, row, language: { language } }: Rule,
  { tokens, start, end, languages, around }: Match,
): PhraseFound {
  const first = tokens[start]!;
  const isByScript = writtenIn.some(([script, those]) => those.includes(language) && script.test(first.text));
  const isTheirs = languages ? languages.has(language) || end - start > 1 : !isForeign(language, around);
  return {
    start: first.start,
    end: tokens[end - 1]!.end,
    kind: row.kind,
    language,
    confidence: isTheirs || isByScript ? row.confidence : "likely",
    ruleId: id,
  };
}

interface Match {
  readonly tokens: readonly Read[];
  readonly start: number;
  readonly end: number;
  readonly languages: ReadonlySet<string> | undefined;
  readonly around: Around;
}

/** Whether the text around a phrase is clearly of another language than it; English is everywhere. */
function isForeign(language: string, { words, counts }: Around): boolean {
  return language !== "en" && words >= foreignWordsMin && (counts.get(language) ?? 0) * 2 < words;
}
