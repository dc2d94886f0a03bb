import type { CaseRule } from "@fava/wire/moderation.ts";
import { foldText } from "@fava/wire/text-folding.ts";
import { boundedCache } from "#lib/cache.ts";
import { Emitter } from "#lib/emitter.ts";
import type { Clock } from "#ports/clock.ts";
import type { ChatMessageFilter, ChatVerdict } from "#ports/text-rules.ts";
import type { Finding } from "./text-scan.ts";
import { namedFindings } from "./text-service.ts";

interface ChatFilterOptions {
  clock: Clock;
  /** All that the text rules find in a text. */
  scan: (text: string) => readonly Finding[];
}

/** The rule by which a line, or a part of it, did not reach the other. */
export type StoppedBy = Extract<CaseRule, "contact_in_chat" | "abuse_in_chat">;

/** What a chat line says about its writer. */
export type Noticed =
  | { readonly kind: "stopped"; readonly userId: bigint; readonly callId: string; readonly rule: StoppedBy }
  /** The same line in one call after the other. */
  | { readonly kind: "repeated"; readonly userId: bigint };

/** The parts of a number that is written over several lines arrive within this time. */
const continuedMs = 60_000;
const continuedLinesMax = 4;
const writersMax = 50_000;
const contactMask = "•••";
const pass: ChatVerdict = { kind: "pass" };

/**
 * What of a chat line of a call the other may read (rules TEXT-64 to TEXT-67, BOT-1). It answers from memory, knows
 * nobody, and says what it noticed; what follows from that is the conduct service's.
 */
export class ChatFilter implements ChatMessageFilter {
  readonly #options: ChatFilterOptions;
  /** Until when people may not write, milliseconds since the epoch. */
  readonly #mutes = boundedCache<bigint, number>({ entriesMax: writersMax });
  readonly #lastLines = boundedCache<bigint, readonly { callId: string; text: string; atMs: number }[]>({
    entriesMax: writersMax,
  });
  readonly #repeated: RepeatedLines;
  readonly #noticed = new Emitter<[Noticed]>();

  constructor(options: ChatFilterOptions) {
    this.#options = options;
    this.#repeated = new RepeatedLines(options.clock);
  }

  /** Called with what was noticed, before the line is answered. */
  onNoticed(listener: (noticed: Noticed) => void): Disposable {
    return this.#noticed.on(listener);
  }

  /** No line of this person passes until then, milliseconds since the epoch. */
  mute(userId: bigint, untilMs: number): void {
    this.#mutes.set(userId, untilMs);
  }

  /** Whether this server keeps the person from writing; a mute may have been ended since. */
  isMuted(userId: bigint): boolean {
    return (this.#mutes.get(userId) ?? 0) > this.#options.clock.nowMs();
  }

  evaluate({ userId, callId }: { userId: bigint; callId: string }, text: string): ChatVerdict {
    const nowMs = this.#options.clock.nowMs();
    const mutedUntilMs = this.#mutes.get(userId) ?? 0;
    if (mutedUntilMs > nowMs) return { kind: "muted", untilMs: mutedUntilMs };
    if (this.#repeated.add(userId, callId, text)) this.#noticed.emit({ kind: "repeated", userId });
    const findings = this.#options.scan(text).filter(({ confidence }) => confidence === "sure");
    const abuse = findings.filter(({ kind }) => abuseKinds.has(kind));
    if (abuse.length > 0) this.#noticed.emit({ kind: "stopped", userId, callId, rule: "abuse_in_chat" });
    const before = this.#linesBefore(userId, callId, text);
    if (abuse.some(({ kind }) => kind !== "insult")) return { kind: "abusive" };
    const contacts = findings.filter(({ kind }) => !abuseKinds.has(kind));
    const hasContacts = contacts.length > 0 || this.#continuesNumber(before, text);
    if (hasContacts) {
      this.#noticed.emit({ kind: "stopped", userId, callId, rule: "contact_in_chat" });
      const named = namedFindings(findings);
      return { kind: "masked", text: contactMask, findings: contacts.length > 0 ? named : ["phone", ...named] };
    }
    if (abuse.length > 0) return { kind: "masked", text: masked(text, abuse), findings: namedFindings(abuse) };
    return pass;
  }

  /** The lines of the writer in this call that a number may go on from; notes this one. */
  #linesBefore(userId: bigint, callId: string, text: string): string[] {
    const nowMs = this.#options.clock.nowMs();
    const known = this.#lastLines.get(userId) ?? [];
    const lines = known.filter((line) => line.callId === callId && nowMs - line.atMs <= continuedMs);
    this.#lastLines.set(userId, [...lines, { callId, text, atMs: nowMs }].slice(-continuedLinesMax));
    return lines.map((line) => line.text);
  }

  /** Numbers are written over several lines to get by: a phone number reaches into this line from those before. */
  #continuesNumber(before: readonly string[], text: string): boolean {
    if (before.length === 0 || !/\p{Nd}/u.test(text)) return false;
    const earlier = `${before.join(lineBreak)}${lineBreak}`;
    return this.#options
      .scan(earlier + text)
      .some(({ kind, start, end }) => kind === "phone" && start < earlier.length && end > earlier.length);
  }
}

const lineBreak = "\n";
const abuseKinds: ReadonlySet<Finding["kind"]> = new Set(["insult", "threat", "hate", "solicitation", "minor"]);

/** The text with these stretches unreadable; the mask does not tell how long they were. */
function masked(text: string, stretches: readonly { start: number; end: number }[]): string {
  let result = "";
  let done = 0;
  for (const { start, end } of stretches) {
    if (end <= done) continue;
    result += start < done ? "" : `${text.slice(done, start)}•••`;
    done = end;
  }
  return result + text.slice(done);
}

/** The same line in so many calls within the time is an advertisement; shorter ones are greetings. */
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

/** Who writes the same to one stranger after the other (rule BOT-1). */
class RepeatedLines {
  readonly #clock: Clock;
  readonly #writers = boundedCache<bigint, Line[]>({ entriesMax: repeatingWritersMax });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True for the line that makes it too many, once an hour. */
  add(userId: bigint, callId: string, text: string): boolean {
    const signs = foldText(text);
    // Most lines are short, and what follows makes none longer.
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

/** Letters and digits of folded text, with one space between words. */
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
/** Of each sign 1 where it is a letter or digit and 2 where it is not, learnt where it is first seen. */
const signKinds = new Uint8Array(lastOfOneUnit + 1);

function isWordSign(sign: number): boolean {
  signKinds[sign] ||= wordSign.test(String.fromCharCode(sign)) ? 1 : 2;
  return signKinds[sign] === 1;
}
