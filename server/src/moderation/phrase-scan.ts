import { hasContactSign } from "./contact-signs.ts";
import { parsePhrase, withoutOpenEnd, type PhraseSource } from "./phrase-grammar.ts";
import { type SurroundingLanguages, surroundingLanguages, isForeign, isWrittenIn } from "./phrase-language.ts";
import { Choice, type RarestWords, rarestWordsOf } from "./phrase-match.ts";
import { type ComparedText, Pattern, type Places, Rule, type TokenRange, type Window } from "./phrase-rule.ts";
import { PhraseContext, type ContextWords } from "./phrase-context.ts";
import { type ReadToken, readTokens, spelledMin } from "./read-tokens.ts";
import type { PhraseKind, TextRuleFile } from "./text-rule-files.ts";
import { someToken } from "./text-tokens.ts";
import { WordBorders } from "./word-borders.ts";
import { type Signals, WordList } from "./word-list.ts";

export interface PhraseFound {
  readonly start: number;
  readonly end: number;
  readonly kind: PhraseKind;
  readonly language: string;
  readonly confidence: "sure" | "likely";
  /** Language and row of the rule, such as `en:12`. */
  readonly ruleId: string;
}

interface Compared extends ComparedText {
  readonly turns: PhraseContext;
  readonly languages: ReadonlySet<string> | undefined;
  readonly around: Map<string, SurroundingLanguages>;
  spoken?: ReadonlyMap<string, number>;
}

/** Tokens per window. `reachTokens`: how far after a window the parts of a phrase are searched. */
const windowTokens = 256;
const reachTokens = 64;
/** Limit of comparisons per window. The scanner does not find matches beyond it. */
const comparisonsMax = 12_000;
/** After this many sure findings, only findings about minors can change the verdict. */
const sureFindingsMax = 12;
const digitWordsMin = 4;

export class PhraseScanner {
  readonly #list = new WordList();
  readonly #loading: Iterator<void>;
  #isLoaded = false;
  readonly #languages: ContextWords[] = [];
  /** By word, the phrases that are compared only with texts that contain this word. */
  readonly #rarestWords = new Map<number, RarestWords[]>();
  readonly #rules = new Map<RarestWords, Rule[]>();

  constructor(files: Iterable<TextRuleFile>, contacts: { words: readonly string[]; digits: readonly string[] }) {
    this.#list.noteContacts(contacts);
    this.#loading = this.#load(files);
  }

  /**
   * Loads the next few rules, in a few milliseconds.
   * @returns whether any were left to load.
   * @throws Error for an unreadable file or phrase, then and at every later call.
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
      const contextWords: ContextWords = {
        language,
        negations: anyOf(file.negations),
        reported: anyOf(file.reported),
        told: anyOf(file.told),
        clauseBreaks: anyOf(file.clauseBreaks),
      };
      this.#languages.push(contextWords);
      this.#list.noteContacts({ words: [], digits: Object.keys(file.digits) });
      const rules: Rule[] = [];
      for (const [at, row] of file.phrases.entries()) {
        const id = `${language}:${at + 1}`;
        const phrases = row.text === undefined ? (row.near ?? []) : [row.text];
        const parts = phrases.map((phrase) => new Pattern(withoutOpenEnd(parsePhrase(phrase, source))));
        rules.push(new Rule({ id, row, contextWords, parts, unless: anyOf(row.unless) }));
        yield;
      }
      // A word's frequency depends on all rows of the language, so phrases are indexed after these.
      for (const rule of rules) {
        this.#add(rule);
        yield;
      }
    }
    this.#isLoaded = true;
  }

  #add(rule: Rule): void {
    const rarest = rarestWordsOf(rule.steps, (word) => this.#list.frequency(word));
    if (!rarest) throw new Error(`${rule.id} is a phrase without a required word`);
    const rules = this.#rules.get(rarest);
    if (rules) rules.push(rule);
    else {
      this.#rules.set(rarest, [rule]);
      this.#list.noteRequired(rarest.words);
      for (const word of rarest.words) {
        const known = this.#rarestWords.get(word);
        if (known) known.push(rarest);
        else this.#rarestWords.set(word, [rarest]);
      }
    }
  }

  /** Whether the text may contain phrases or contact data; cheaper than `find`. */
  look(text: string): { phrases: boolean; contacts: boolean } {
    while (this.loadMore());
    let letters = 0;
    let digits = 0;
    let phrases = false;
    let contacts = hasContactSign(text);
    let beginnings: string[] = [];
    const note = ({ isRequired, isContact, isDigit }: Signals) => {
      if (isDigit) digits += 1;
      phrases ||= isRequired || letters >= spelledMin;
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

  /** Extends the beginnings of words by one sign. Calls `note` with each completed word. */
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
   * Phrases in text order.
   * @param languages of the writer and the reader; undefined: any language may be theirs.
   * @param onCompared receives the number of comparisons.
   */
  find(text: string, languages?: ReadonlySet<string>, onCompared?: (comparisons: number) => void): PhraseFound[] {
    while (this.loadMore());
    const tokens = readTokens(text, this.#list);
    const compared: Compared = {
      tokens,
      comparisons: 0,
      borders: new WordBorders(tokens),
      turns: new PhraseContext(text, tokens),
      languages,
      around: new Map(),
    };
    const found: PhraseFound[] = [];
    for (let from = 0; from < tokens.length; from += windowTokens) this.#findFrom(from, compared, found);
    onCompared?.(compared.comparisons);
    return found.toSorted((one, other) => one.start - other.start || other.end - one.end);
  }

  #findFrom(from: number, compared: Compared, found: PhraseFound[]): void {
    const end = from + windowTokens;
    const places = placesOf(compared.tokens, from, end + reachTokens);
    const window: Window = { start: from, end, places, comparisonsMax: compared.comparisons + comparisonsMax };
    let sureFindings = found.filter(({ confidence }) => confidence === "sure").length;
    for (const rule of this.#rulesFor(places)) {
      if (sureFindings >= sureFindingsMax && rule.row.kind !== "minor") return;
      for (const match of rule.matchesIn(compared, window, (one) => this.#isInnocent(rule, compared, one))) {
        if (sureFindings >= sureFindingsMax && rule.row.kind !== "minor") return;
        const finding = this.#findingOf(rule, compared, match);
        if (finding.confidence === "sure") sureFindings += 1;
        found.push(finding);
      }
    }
  }

  /** The phrases whose required words the text contains, those about minors first. */
  #rulesFor(places: Places): Rule[] {
    const minors: Rule[] = [];
    const others: Rule[] = [];
    const seen = new Set<RarestWords>();
    for (const id of places.keys())
      for (const rarest of this.#rarestWords.get(id) ?? []) {
        if (seen.has(rarest)) continue;
        seen.add(rarest);
        for (const rule of this.#rules.get(rarest)!)
          if (rule.isWholeIn(places)) (rule.row.kind === "minor" ? minors : others).push(rule);
      }
    return [...minors, ...others];
  }

  /** Whether a longer harmless phrase contains the match, or the writer negates or quotes it. */
  #isInnocent(rule: Rule, compared: Compared, match: TokenRange): boolean {
    if (rule.isExcused(compared.tokens, match)) return true;
    // Many writers insult in a borrowed language but negate in their own, so the negations of both count.
    const around = this.#surroundingLanguages(compared, match);
    const turning = this.#languages.filter(
      (one) => one === rule.contextWords || one.language === "en" || one.language === around.language,
    );
    const { turns } = compared;
    const { kind, negatable } = rule.row;
    const canBeTold = kind === "insult" || kind === "hate";
    return turning.some(
      (words) =>
        (negatable && turns.isNegatedOrQuoted(words, match)) || (canBeTold && turns.isReported(words, match.start)),
    );
  }

  #findingOf({ id, row, contextWords: { language } }: Rule, compared: Compared, at: TokenRange): PhraseFound {
    const { tokens, languages } = compared;
    const first = tokens[at.start]!;
    // A phrase of several words is not by chance a name or a word of another language.
    const isTheirs = languages
      ? languages.has(language) || at.end - at.start > 1
      : isWrittenIn(language, first.text) || !isForeign(language, this.#surroundingLanguages(compared, at));
    return {
      start: first.start,
      end: tokens[at.end - 1]!.end,
      kind: row.kind,
      language,
      confidence: isTheirs || isWrittenIn(language, first.text) ? row.confidence : "likely",
      ruleId: id,
    };
  }

  #surroundingLanguages(compared: Compared, { start, end }: TokenRange): SurroundingLanguages {
    const key = `${start} ${end}`;
    let around = compared.around.get(key);
    if (!around) {
      compared.spoken ??= this.#list.languagesIn(compared.tokens);
      around = surroundingLanguages(compared.spoken, this.#list.languagesIn(compared.tokens.slice(start, end)));
      compared.around.set(key, around);
    }
    return around;
  }
}

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
