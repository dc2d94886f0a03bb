import { isSupportedCountry, isValidPhoneNumber } from "libphonenumber-js/max";
import { digitsOf, maySayNumber } from "@fava/wire/personal-data-spoken.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import { boundedCache } from "#lib/cache.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type { ChatLineContext, ChatMessageFilter, ChatVerdict, UserLocale, TextFindingLog } from "#ports/text-rules.ts";
import {
  blanked,
  deliveredText,
  isRemovedInCalls,
  namedFindings,
  type Scan,
  spansOf,
  sureFindings,
  writerFor,
} from "./delivered-text.ts";
import type { Finding, Writer } from "./text-scan.ts";

interface ChatFilterOptions {
  clock: Clock;
  scan: Scan;
  log: TextFindingLog;
}

/** A number may be spread over lines that arrive within this time. */
const continuedMs = 60_000;
/** A number may be spread over this many lines with digits. */
const continuedLinesMax = 15;
/** How many characters at the end of a line may begin a number. */
const continuedLengthMax = 60;
const writersMax = 50_000;
const lineBreak = "\n";

/** The end of a delivered line with digits, which may begin a number. */
interface DigitLine {
  readonly callId: string;
  readonly text: string;
  readonly atMs: number;
  /** A line without digits came after this one. */
  readonly isInterrupted: boolean;
}
const pass: ChatVerdict = { kind: "pass" };

/** Decides what the reader of a chat line in a call receives (rule TEXT-64), without a database query. */
export class ChatFilter implements ChatMessageFilter {
  readonly #options: ChatFilterOptions;
  readonly #mutes = boundedCache<bigint, number>({ entriesMax: writersMax });
  readonly #lastLines = boundedCache<bigint, readonly DigitLine[]>({ entriesMax: writersMax });
  /** Cached `Writer` of a call, by the locale of the user who writes. */
  readonly #people = new WeakMap<UserLocale, { reader: UserLocale; people: Writer }>();
  readonly #repeated: RepeatedLines;
  readonly #repeating = new Emitter<[userId: bigint]>();

  constructor(options: ChatFilterOptions) {
    this.#options = options;
    this.#repeated = new RepeatedLines(options.clock);
  }

  /** Calls the listener with a user who repeats a line from call to call, before the line is evaluated. */
  onRepeated(listener: (userId: bigint) => void): Disposable {
    return this.#repeating.on(listener);
  }

  mute(userId: bigint, untilMs: number): void {
    this.#mutes.set(userId, untilMs);
  }

  evaluate(line: ChatLineContext, text: string): ChatVerdict {
    const { userId, callId } = line;
    const nowMs = this.#options.clock.nowMs();
    const mutedUntilMs = this.#mutes.get(userId) ?? 0;
    if (mutedUntilMs > nowMs) return { kind: "muted", untilMs: mutedUntilMs };
    if (this.#repeated.add(userId, callId, text)) this.#repeating.emit(userId);
    const found = this.#findingsOf(line, text);
    if (found.length === 0) return pass;
    this.#report(line, text, found);
    if (found.some(({ kind }) => kind === "minor")) return { kind: "abusive" };
    return {
      kind: "changed",
      delivered: deliveredText(text, found),
      findings: namedFindings(found),
      spans: spansOf(found),
    };
  }

  /** The `sure` findings of a line, and a number that earlier lines began and this line continues. */
  #findingsOf({ userId, callId, writer, reader }: ChatLineContext, text: string): readonly Finding[] {
    const people = this.#peopleOf(writer, reader);
    const found = sureFindings(this.#options.scan, text, people);
    // The reader does not receive hidden text, so hidden text cannot begin a number.
    const left = blanked(text, found.filter(isRemovedInCalls));
    const isPart = maySayNumber(left);
    const before = this.#linesBefore({ userId, callId }, left, isPart);
    const continued = isPart ? this.#continuedNumber(before, left, people) : undefined;
    return continued ? [...found, continued].toSorted((one, other) => one.start - other.start) : found;
  }

  #peopleOf(writer: UserLocale, reader: UserLocale): Writer {
    const known = this.#people.get(writer);
    if (known?.reader === reader) return known.people;
    const people = writerFor(writer, reader);
    this.#people.set(writer, { reader, people });
    return people;
  }

  #report({ userId, readerId, callId, clientId }: ChatLineContext, text: string, findings: readonly Finding[]): void {
    const about = { writerId: userId, readerId, place: "call", callId, findings } as const;
    const isDelivered = findings.every(({ kind }) => kind !== "minor");
    void this.#options.log.note({ ...about, ...(isDelivered ? { lineRef: clientId } : { lineRef: null, text }) });
  }

  /** The writer's earlier lines with digits in this call. Adds this line if it may be part of a number. */
  #linesBefore(
    { userId, callId }: Pick<ChatLineContext, "userId" | "callId">,
    text: string,
    isPart: boolean,
  ): readonly DigitLine[] {
    const nowMs = this.#options.clock.nowMs();
    const known = this.#lastLines.get(userId) ?? [];
    const lines = known.filter((line) => line.callId === callId && nowMs - line.atMs <= continuedMs);
    if (isPart) {
      const end = { callId, text: text.slice(-continuedLengthMax), atMs: nowMs, isInterrupted: false };
      this.#lastLines.set(userId, [...lines, end].slice(-continuedLinesMax));
    } else if (lines.length > 0) {
      this.#lastLines.set(userId, lines.with(-1, { ...lines.at(-1)!, isInterrupted: true }));
    }
    return lines;
  }

  /**
   * A number that a line without digits interrupts, or that reads like ages and years, counts only if it is valid in
   * the country of one of the two users.
   */
  #continuedNumber(before: readonly DigitLine[], text: string, people: Writer): Finding | undefined {
    const interrupted = before.findLastIndex(({ isInterrupted }) => isInterrupted) + 1;
    const direct = this.#numberOver(before.slice(interrupted), text, people);
    if (direct && !isAgesAndYears(direct.number)) return direct.finding;
    const over = interrupted === 0 ? direct : this.#numberOver(before, text, people);
    return over && isDialled(over.number, people.countries ?? []) ? over.finding : undefined;
  }

  #numberOver(before: readonly DigitLine[], text: string, people: Writer) {
    if (before.length === 0) return undefined;
    const earlier = before.map((line) => line.text + lineBreak).join("");
    const all = earlier + text;
    const number = this.#options
      .scan(all, people)
      .find(({ kind, start, end }) => kind === "phone" && start < earlier.length && end > earlier.length);
    if (!number) return undefined;
    const finding: Finding = { ...number, start: 0, end: number.end - earlier.length };
    return { finding, number: all.slice(number.start, number.end) };
  }
}

const ageOrYear = /^\s*(?:[1-9]\d|(?:19|20)\d\d)\s*$/;

function isAgesAndYears(number: string): boolean {
  return foldText(number)
    .split(lineBreak)
    .every((part) => ageOrYear.test(part));
}

function isDialled(number: string, countries: readonly string[]): boolean {
  const digits = digitsOf(number);
  return countries.some((country) => isSupportedCountry(country) && isValidPhoneNumber(digits, country));
}

/** The same line in this many calls is an advertisement. Lines below `lettersMin` may be greetings and do not count. */
const callsMax = 5;
const repeatedWithinMs = 3_600_000;
const lettersMin = 20;
const linesPerWriter = 20;
const repeatingWritersMax = 20_000;

interface Line {
  readonly text: string;
  readonly calls: Set<string>;
  readonly sinceMs: number;
}

class RepeatedLines {
  readonly #clock: Clock;
  readonly #writers = boundedCache<bigint, Line[]>({ entriesMax: repeatingWritersMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True when the line reaches `callsMax` calls, at most once an hour per line. */
  add(userId: bigint, callId: string, text: string): boolean {
    const signs = foldText(text);
    // Removing signs only shortens a text, so a short text needs no further work.
    if (signs.length < lettersMin) return false;
    const folded = wordsOf(signs);
    if (folded.length < lettersMin) return false;
    const nowMs = this.#clock.monotonicMs();
    const lines = (this.#writers.get(userId) ?? []).filter(({ sinceMs }) => nowMs - sinceMs < repeatedWithinMs);
    const known = lines.find((line) => line.text === folded);
    const line = known ?? { text: folded, calls: new Set<string>(), sinceMs: nowMs };
    if (!known) lines.push(line);
    const before = line.calls.size;
    if (before < callsMax) line.calls.add(callId);
    this.#writers.set(userId, lines.slice(-linesPerWriter));
    return before < callsMax && line.calls.size === callsMax;
  }
}

function wordsOf(folded: string): string {
  let words = "";
  let start = 0;
  for (let at = 0; at <= folded.length; at += 1) {
    const sign = folded.codePointAt(at) ?? 0;
    const isPair = sign > lastOfOneUnit;
    if (isPair) at += 1;
    if (isPair ? wordSign.test(String.fromCodePoint(sign)) : isWordSign(sign)) continue;
    const end = isPair ? at - 1 : at;
    if (end > start) words += words === "" ? folded.slice(start, end) : ` ${folded.slice(start, end)}`;
    start = at + 1;
  }
  return words;
}

const wordSign = /[\p{L}\p{N}]/u;
const lastOfOneUnit = 0xffff;
/** Cache by UTF-16 unit: 1 for a letter or digit, 2 for another sign, 0 for unknown. */
const signKinds = new Uint8Array(lastOfOneUnit + 1);

function isWordSign(sign: number): boolean {
  signKinds[sign] ||= wordSign.test(String.fromCharCode(sign)) ? 1 : 2;
  return signKinds[sign] === 1;
}
