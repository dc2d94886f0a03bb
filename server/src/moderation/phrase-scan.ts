import { hasContactSign } from "./contact-signs.ts";
import { parsePhrase, type PhraseSource } from "./phrase-grammar.ts";
import { type Around, aroundOf, isForeign, isWrittenIn } from "./phrase-language.ts";
import { Choice, endsOf, firstWords, requiredWords, type Sequence, type Telling, tellingOf } from "./phrase-match.ts";
import { PhraseTurns, type TurningWords } from "./phrase-turns.ts";
import { type ReadToken, readTokens, spelledMin } from "./read-tokens.ts";
import type { PhraseKind, PhraseRow, TextRuleFile } from "./text-rule-files.ts";
import { Gap, someToken } from "./text-tokens.ts";
import { WordBorders } from "./word-borders.ts";
import { type Signals, WordList } from "./word-list.ts";

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

/** How often a text was compared with a phrase. */
interface Work {
  comparisons: number;
}

/** A text while it is compared, with what is known of it so far. */
interface Compared {
  readonly work: Work;
  readonly tokens: readonly ReadToken[];
  readonly borders: WordBorders;
  readonly turns: PhraseTurns;
  readonly languages: ReadonlySet<string> | undefined;
  spoken?: ReadonlyMap<string, number>;
}

/** Tokens of a text, the end excluded; `members` are the parts of a `near` row in it, by their place. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly Stretch[];
}

/** A part of a text in which phrases may begin, and how many comparisons may have been made until all of it was compared. */
interface Window {
  readonly start: number;
  readonly end: number;
  readonly places: Places;
  readonly comparisonsMax: number;
}

/** Where each word of the lists stands in a part of a text. */
type Places = ReadonlyMap<number, readonly number[]>;

/** A phrase that is looked for. Most never are, so what that needs is worked out on first use. */
class Pattern {
  readonly sequence: Sequence;
  #firsts: ReadonlySet<number> | null | undefined;

  constructor(sequence: Sequence) {
    this.sequence = sequence;
  }

  /** The tokens at which it may begin, in their order; null where these may be any. */
  startsIn(places: Places): readonly number[] | null {
    if (this.#firsts === undefined) this.#firsts = firstWords(this.sequence);
    const firsts = this.#firsts;
    if (!firsts) return null;
    const starts: number[] = [];
    for (const id of firsts.size < places.size ? firsts : places.keys())
      if (firsts.has(id)) starts.push(...(places.get(id) ?? []));
    return starts.length < 2 ? starts : [...new Set(starts)].toSorted((one, other) => one - other);
  }
}

/** A row of the lists. */
class Rule {
  readonly id: string;
  readonly row: PhraseRow;
  /** The phrase, or the parts of a `near` row, which stand in any order. */
  readonly parts: readonly Pattern[];
  readonly unless: Choice;
  readonly turning: TurningWords;
  #required: readonly ReadonlySet<number>[] | undefined;

  constructor({ id, row, parts, unless, turning }: Pick<Rule, "id" | "row" | "parts" | "unless" | "turning">) {
    this.id = id;
    this.row = row;
    this.parts = parts;
    this.unless = unless;
    this.turning = turning;
  }

  /** All that has to stand in a match, in any order. */
  get steps(): Sequence {
    return this.parts.flatMap(({ sequence }) => sequence);
  }

  /** Whether each part that a match must have is among the words of a text. */
  isWholeIn(words: Places): boolean {
    this.#required ??= requiredWords(this.steps);
    return this.#required.every((part) => {
      for (const id of part.size < words.size ? part : words.keys()) if (part.has(id) && words.has(id)) return true;
      return false;
    });
  }
}

/** A text is compared in windows of as many tokens, each with a bound of its own; parts of a phrase are looked for in as many more. */
const windowTokens = 256;
const reachTokens = 64;
/** How often a window of a text is compared with phrases; what was found until then is all that is found in it. */
export const comparisonsMax = 12_000;
/** After this many sure findings only those about minors can change the result. */
const sureFindingsMax = 12;
const unlessBefore = 8;
/** How many tokens the parts of a `near` row take at most, where it does not say. */
const nearWithin = 12;
const digitWordsMin = 4;
const gapSignsMax = 12;
const sentenceStart = /^\p{Lu}\p{Ll}/u;

/** Finds the phrases of the text rules (rules TEXT-60 to TEXT-63, TEXT-154, TEXT-155, TEXT-660 to TEXT-665). */
export class PhraseScanner {
  readonly #list = new WordList();
  readonly #loading: Iterator<void>;
  #isLoaded = false;
  readonly #languages: TurningWords[] = [];
  /** A text with one of these words is compared with these phrases. */
  readonly #tellings = new Map<number, Telling[]>();
  readonly #rules = new Map<Telling, Rule[]>();

  /** @param files are read when a text is scanned first, or bit by bit by `loadMore`. */
  constructor(files: Iterable<TextRuleFile>, contacts: { words: readonly string[]; digits: readonly string[] }) {
    this.#list.noteContacts(contacts);
    this.#loading = this.#load(files);
  }

  /**
   * Reads a few more of the rules, which takes some milliseconds at most.
   *
   * @returns whether there were any.
   * @throws Error for a file or phrase that cannot be read, then and each time after.
   */
  loadMore(): boolean {
    if (this.#isLoaded) return false;
    const isDone = this.#loading.next().done === true;
    if (isDone && !this.#isLoaded) throw new Error("the text rules cannot be read");
    return !isDone;
  }

  *#load(files: Iterable<TextRuleFile>): Generator<void, void> {
    for (const file of files) {
      yield;
      const { language, classes } = file;
      const source: PhraseSource = {
        classes,
        numbersOf: (word, isPrefix) => this.#list.numbersOf(word, language, isPrefix),
      };
      const anyOf = (phrases: readonly string[]) => new Choice(phrases.map((phrase) => parsePhrase(phrase, source)));
      const turning: TurningWords = {
        language,
        negations: anyOf(file.negations),
        reported: anyOf(file.reported),
        clauseBreaks: anyOf(file.clauseBreaks),
      };
      this.#languages.push(turning);
      this.#list.noteContacts({ words: [], digits: Object.keys(file.digits) });
      const rules: Rule[] = [];
      for (const [at, row] of file.phrases.entries()) {
        const id = `${language}:${at + 1}`;
        const phrases = row.text === undefined ? (row.near ?? []) : [row.text];
        const parts = phrases.map((phrase) => new Pattern(parsePhrase(phrase, source)));
        rules.push(new Rule({ id, row, turning, parts, unless: anyOf(row.unless) }));
        yield;
      }
      // How rare a word is, only all rows of a language tell.
      for (const rule of rules) {
        this.#add(rule);
        yield;
      }
    }
    this.#isLoaded = true;
  }

  #add(rule: Rule): void {
    const telling = tellingOf(rule.steps, (word) => this.#list.frequency(word));
    if (!telling) throw new Error(`${rule.id} is a phrase in which no word has to stand`);
    const rules = this.#rules.get(telling);
    if (rules) rules.push(rule);
    else {
      this.#rules.set(telling, [rule]);
      this.#list.noteTelling(telling.words);
      for (const word of telling.words) {
        const tellings = this.#tellings.get(word);
        if (tellings) tellings.push(telling);
        else this.#tellings.set(word, [telling]);
      }
    }
  }

  /**
   * What has to be looked for in a text, which is nothing in most: phrases where a word tells of one or letters stand one
   * by one, contact data where it has a sign or a word of such.
   */
  look(text: string): { phrases: boolean; contacts: boolean } {
    while (this.loadMore());
    let letters = 0;
    let digits = 0;
    let phrases = false;
    let contacts = hasContactSign(text);
    /** What signs in a row so far may begin. */
    let beginnings: string[] = [];
    const note = ({ isTelling, isContact, isDigit }: Signals) => {
      if (isDigit) digits += 1;
      phrases ||= isTelling || letters >= spelledMin;
      contacts ||= isContact || digits >= digitWordsMin;
    };
    someToken(text, (start, end, isSign) => {
      const reading = this.#list.read(text.slice(start, end));
      letters = isSign || !reading.isLetter ? 0 : letters + 1;
      note(reading);
      if (isSign) beginnings = this.#continued(beginnings, reading.plain, note);
      else if (beginnings.length > 0) beginnings = [];
      return phrases && contacts;
    });
    return { phrases, contacts };
  }

  /** What one more sign makes of the beginnings of words before it; calls back with each word that it completes. */
  #continued(beginnings: readonly string[], sign: string, note: (signals: Signals) => void): string[] {
    const continued: string[] = [];
    for (const before of [...beginnings, ""]) {
      const word = this.#list.wordOfSigns(before + sign);
      if (word !== undefined) continued.push(before + sign);
      if (word) note(this.#list.signalsOf([word]));
    }
    return continued;
  }

  /**
   * The phrases in a text, by their place.
   *
   * @param languages those of the writer and the reader; without them every language may be theirs.
   */
  find(text: string, languages?: ReadonlySet<string>, work: Work = { comparisons: 0 }): PhraseFound[] {
    while (this.loadMore());
    const tokens = readTokens(text, this.#list);
    const compared = { tokens, work, languages, borders: new WordBorders(tokens), turns: new PhraseTurns(tokens) };
    const found: PhraseFound[] = [];
    for (let from = 0; from < tokens.length; from += windowTokens) this.#findFrom(from, compared, found);
    return found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  }

  /** Adds the phrases that begin in a window of a text. */
  #findFrom(from: number, compared: Compared, found: PhraseFound[]): void {
    const end = from + windowTokens;
    const places = placesOf(compared.tokens, from, end + reachTokens);
    const window: Window = { start: from, end, places, comparisonsMax: compared.work.comparisons + comparisonsMax };
    let sureFindings = found.filter(({ confidence }) => confidence === "sure").length;
    for (const rule of this.#rulesFor(places))
      for (const match of this.#matchesOf(rule, compared, window)) {
        if (sureFindings >= sureFindingsMax && rule.row.kind !== "minor") return;
        const finding = this.#findingOf(rule, compared, match);
        if (finding.confidence === "sure") sureFindings += 1;
        found.push(finding);
      }
  }

  /** The phrases of which all that they must have stands in a text, those about minors first. */
  #rulesFor(places: Places): Rule[] {
    const minors: Rule[] = [];
    const others: Rule[] = [];
    const seen = new Set<Telling>();
    for (const id of places.keys())
      for (const telling of this.#tellings.get(id) ?? []) {
        if (seen.has(telling)) continue;
        seen.add(telling);
        for (const rule of this.#rules.get(telling)!)
          if (rule.isWholeIn(places)) (rule.row.kind === "minor" ? minors : others).push(rule);
      }
    return [...minors, ...others];
  }

  /** Where a rule matches and means what it says; matches do not overlap. */
  *#matchesOf(rule: Rule, compared: Compared, window: Window): Generator<Stretch, void> {
    if (rule.row.near) {
      for (const match of nearMatchesOf(rule, compared, window))
        if (!this.#isInnocent(rule, compared, match)) yield match;
      return;
    }
    const [phrase] = rule.parts;
    let next = window.start;
    for (const start of phrase!.startsIn(window.places) ?? compared.tokens.keys()) {
      if (compared.work.comparisons >= window.comparisonsMax) return;
      if (start < next || start >= window.end) continue;
      const end = longestEnd(phrase!, compared, start);
      if (end === undefined || this.#isInnocent(rule, compared, { start, end })) continue;
      yield { start, end };
      next = end;
    }
  }

  /** Whether a longer phrase excuses a match, or the writer refuses it or reports what another person said. */
  #isInnocent(rule: Rule, compared: Compared, match: Stretch): boolean {
    if (isExcused(rule, compared.tokens, match)) return true;
    if (!rule.row.negatable) return false;
    // Many borrow words of another language, and refuse in their own.
    const around = this.#aroundOf(compared, match);
    const turning = this.#languages.filter(
      (one) => one === rule.turning || one.language === "en" || one.language === around.language,
    );
    return turning.some((words) => compared.turns.isTurned(words, match));
  }

  #findingOf({ id, row, turning: { language } }: Rule, compared: Compared, at: Stretch): PhraseFound {
    const { tokens, languages } = compared;
    const first = tokens[at.start]!;
    // A phrase of several words is no name or word of another language.
    const isTheirs = languages
      ? languages.has(language) || at.end - at.start > 1
      : !isForeign(language, this.#aroundOf(compared, at));
    return {
      start: first.start,
      end: tokens[at.end - 1]!.end,
      kind: row.kind,
      language,
      confidence: isTheirs || isWrittenIn(language, first.text) ? row.confidence : "likely",
      ruleId: id,
    };
  }

  #aroundOf(compared: Compared, { start, end }: Stretch): Around {
    compared.spoken ??= this.#list.languagesIn(compared.tokens);
    return aroundOf(compared.spoken, this.#list.languagesIn(compared.tokens.slice(start, end)));
  }
}

/** Where the longest match of a phrase ends that begins at a token, with borders of words at both ends. */
function longestEnd({ sequence }: Pattern, { tokens, borders, work }: Compared, start: number): number | undefined {
  work.comparisons += 1;
  if (!tokens[start]!.isFirst) return undefined;
  return endsOf(sequence, tokens, start).findLast(
    (end) => tokens[end - 1]!.isLast && isOneSentence(tokens, start, end) && borders.surround(start, end),
  );
}

/** The shortest stretches in which each part of a `near` row stands, without overlap of parts or stretches. */
function* nearMatchesOf({ parts, row }: Rule, compared: Compared, window: Window): Generator<Stretch, void> {
  const { tokens, work } = compared;
  const hits: (Stretch & { part: Pattern })[] = [];
  for (const part of parts)
    for (const start of part.startsIn(window.places) ?? tokens.keys()) {
      if (work.comparisons >= window.comparisonsMax) return;
      const end = longestEnd(part, compared, start);
      if (end !== undefined) hits.push({ part, start, end });
    }
  const latest = new Map<Pattern, Stretch>();
  for (const hit of hits.toSorted((one, other) => one.start - other.start)) {
    latest.set(hit.part, hit);
    if (latest.size < parts.length) continue;
    const members = [...latest.values()].toSorted((one, other) => one.start - other.start);
    const start = members[0]!.start;
    const end = Math.max(...members.map((member) => member.end));
    const isApart = members.every((member, at) => at === 0 || members[at - 1]!.end <= member.start);
    if (!isApart || end - start > (row.within ?? nearWithin) || start >= window.end) continue;
    yield { start, end, members };
    latest.clear();
  }
}

/** Phrases do not reach into a sentence that begins with a capital, nor over more than a few signs. */
function isOneSentence(tokens: readonly ReadToken[], start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1) {
    const token = tokens[at]!;
    if (token.start - tokens[at - 1]!.end > gapSignsMax) return false;
    if (token.gap === Gap.sentence && sentenceStart.test(token.text)) return false;
  }
  return true;
}

/**
 * Whether a longer phrase, in which this one is innocent, reaches over it to one side at least; for a `near` row, whether
 * such a phrase stands anywhere in it or reaches into it.
 */
function isExcused({ unless, row }: Rule, tokens: readonly ReadToken[], found: Stretch): boolean {
  const excuses = (at: number, end: number) =>
    row.near ? end > found.start : at < found.start ? end >= found.end : end > found.end;
  for (let at = Math.max(0, found.start - unlessBefore); at < found.end; at += 1)
    if (unless.endsAt(tokens, at).some((end) => excuses(at, end))) return true;
  return false;
}

/** Where each word of the lists stands in a part of a text. */
function placesOf(tokens: readonly ReadToken[], from: number, to: number): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let at = from; at < Math.min(to, tokens.length); at += 1)
    for (const { id } of tokens[at]!.words) {
      const those = places.get(id);
      if (those) those.push(at);
      else places.set(id, [at]);
    }
  return places;
}
