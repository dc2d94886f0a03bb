import { beforeEach, expect, test } from "vitest";
import type { Matched, RoomEvent } from "#calls/room-service.ts";
import { Emitter } from "#lib/emitter.ts";
import type { CaseSignal, AccountRestrictions } from "#ports/moderation.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { noTextFindings } from "#test/fakes/no-text-findings.ts";
import { unrestricted } from "#test/fixtures/matched.ts";
import { ChatFilter } from "./chat-filter.ts";
import { ConductService } from "./conduct-service.ts";
import { RecordQueue } from "./record-queue.ts";
import type { FollowingVerdict } from "./text-findings.ts";
import { scanText } from "./text-service.ts";

const hourMs = 3_600_000;
const locale = { country: "TR", languages: ["en"] };
const writer = { userId: 7n, readerId: 8n, callId: "call-1", clientId: "line-1", writer: locale, reader: locale };

class FakeModeration {
  readonly notes: { userId: bigint; rule: string; dryRun: boolean }[] = [];
  readonly cases: CaseSignal[] = [];
  readonly mutes: { userId: bigint; rule: string; untilMs: number }[] = [];
  mutedUntil: number | null = null;
  reads = 0;
  readonly #changed = new Emitter<[userId: bigint]>();

  async note(signal: { userId: bigint; rule: string; dryRun: boolean }): Promise<number> {
    this.notes.push({ userId: signal.userId, rule: signal.rule, dryRun: signal.dryRun });
    return this.notes.filter(({ rule }) => rule === signal.rule).length;
  }
  async muteChat(userId: bigint, mute: { rule: string; untilMs: number }): Promise<void> {
    this.mutes.push({ userId, ...mute });
  }
  async open(signal: CaseSignal): Promise<bigint> {
    this.cases.push(signal);
    return 1n;
  }
  onRestrictionsChanged(listener: (userId: bigint) => void): Disposable {
    return this.#changed.on(listener);
  }
  setMuted(userId: bigint, untilMs: number | null): void {
    this.mutedUntil = untilMs;
    this.#changed.emit(userId);
  }
  /** Each next read waits for the next of these. */
  readonly slowReads: Promise<void>[] = [];
  async restrictionsOf(): Promise<AccountRestrictions> {
    this.reads += 1;
    const { mutedUntil } = this;
    await this.slowReads.shift();
    return { ...unrestricted, mutedUntil };
  }
}

let clock: TestClock;
let moderation: FakeModeration;
/** A chat filter and conduct detection, connected as in the product. */
const build = (botsDryRun = true) => {
  const filter = new ChatFilter({ clock, scan: scanText, log: noTextFindings });
  const logger = { error: (problem: unknown) => expect.unreachable(String(problem)) };
  const verdicts = new Emitter<[FollowingVerdict]>();
  const findings = { onVerdict: (listener: (verdict: FollowingVerdict) => void) => verdicts.on(listener) };
  const recordQueue = new RecordQueue({ logger });
  const linesOf = ({ callId }: { callId: string }) => [chatOf(callId)];
  const conduct = new ConductService({ clock, moderation, botsDryRun, logger, filter, findings, recordQueue, linesOf });
  return {
    verdict: (verdict: FollowingVerdict) => verdicts.emit(verdict),
    evaluate: (line: Parameters<ChatFilter["evaluate"]>[0], text: string) => filter.evaluate(line, text),
    onRoomEvent: (event: RoomEvent) => conduct.onRoomEvent(event),
    [Symbol.asyncDispose]: () => conduct[Symbol.asyncDispose](),
  };
};
type Conduct = ReturnType<typeof build>;
const chatOf = (callId: string) =>
  ({ kind: "lines", at: new Date(0), lines: [{ at: 0, from: "person", text: callId }] }) as const;
/** These tests use only the user ids of a room's participants. */
const person = (userId: bigint) => ({ userId }) as Matched;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  clock = new TestClock();
  moderation = new FakeModeration();
});

const hear = (conduct: Conduct, kind: "matched" | "ended") => {
  const people = { offerer: person(7n), answerer: person(8n) };
  if (kind === "ended") conduct.onRoomEvent(ended("call-1"));
  else conduct.onRoomEvent({ id: "call-1", kind, claim: Promise.resolve(1), side: null, people });
};

test("[TEXT-66] mutes a writer of contact data for an hour and opens a case with the chat, and only opens a case for abuse", async () => {
  const conduct = build();
  conduct.verdict({ writerId: 7n, rule: "contact_in_chat", mutesChat: true, callId: "call-1", text: null });
  await settled();
  conduct.verdict({ writerId: 9n, rule: "abuse_in_chat", mutesChat: false, callId: null, text: null });
  conduct.verdict({ writerId: 9n, rule: "minor_in_text", mutesChat: false, callId: "call-2", text: "the line" });
  await conduct[Symbol.asyncDispose]();
  expect(moderation.mutes).toEqual([{ userId: 7n, rule: "contact_in_chat", untilMs: clock.nowMs() + hourMs }]);
  expect(moderation.cases).toMatchObject([
    { subjectId: 7n, rule: "contact_in_chat", reasonId: 6, callId: "call-1", evidence: [chatOf("call-1")] },
    { subjectId: 9n, rule: "abuse_in_chat", reasonId: 5, callId: null, evidence: [] },
    {
      subjectId: 9n,
      rule: "minor_in_text",
      reasonId: 8,
      callId: "call-2",
      evidence: [{ kind: "lines", isOffence: true }],
    },
  ]);
});

test("[TEXT-66] does nothing about findings of one call, however many there are", async () => {
  const conduct = build();
  for (let line = 0; line < 10; line += 1) conduct.evaluate(writer, "kill yourself, t.me/ana");
  await conduct[Symbol.asyncDispose]();
  expect([moderation.notes, moderation.mutes, moderation.cases]).toEqual([[], [], []]);
});

test("keeps a user muted in the next call and after a restart", async () => {
  const conduct = build();
  moderation.mutedUntil = clock.nowMs() + hourMs;
  hear(conduct, "matched");
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "muted", untilMs: moderation.mutedUntil });
});

test("mutes and unmutes a user in a running call at once, whichever server decided it", async () => {
  const conduct = build();
  hear(conduct, "matched");
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "pass" });
  const untilMs = clock.nowMs() + hourMs;
  moderation.setMuted(7n, untilMs);
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "muted", untilMs });
  moderation.setMuted(7n, null);
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "pass" });
  hear(conduct, "ended");
  moderation.setMuted(7n, untilMs);
  await settled();
  expect(moderation.reads).toBe(4);
});

test("does not overwrite the end of a mute with a slow read from before", async () => {
  const conduct = build();
  hear(conduct, "matched");
  await settled();
  let finish = () => {};
  moderation.slowReads.push(new Promise((resolve) => (finish = resolve)));
  moderation.setMuted(7n, clock.nowMs() + hourMs);
  moderation.setMuted(7n, null);
  await settled();
  finish();
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "pass" });
});

const advert = "come and see my new channel, it is free for you";
const advertise = (conduct: Conduct, calls: number) => {
  for (let call = 1; call <= calls; call += 1) {
    conduct.evaluate({ ...writer, callId: `call-${call}` }, advert);
    conduct.evaluate({ ...writer, callId: `call-${call}` }, advert);
  }
};

test("notices the same line in five calls of an hour once, and a short line never", async () => {
  const conduct = build();
  advertise(conduct, 4);
  await settled();
  expect(moderation.notes).toEqual([]);
  advertise(conduct, 9);
  for (let call = 1; call <= 9; call += 1) conduct.evaluate({ ...writer, callId: `call-${call}` }, "hi how are you");
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "repeated_text", dryRun: true }]);
});

test("ignores emoji and punctuation when it compares lines", async () => {
  const conduct = build();
  const signs = ["😂", "...", "🇹🇷", " ❤️ ", "，", "-"];
  for (const [call, sign] of signs.entries())
    conduct.evaluate({ ...writer, callId: `call-${call}` }, `заходи ко мне на${sign}канал, там весело`);
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "repeated_text", dryRun: true }]);
});

/** The room ends because the offerer goes on to the next partner. */
const ended = (id: string): RoomEvent => ({
  id,
  kind: "ended",
  reason: "next",
  wasLive: true,
  side: "offerer",
  people: { offerer: person(7n), answerer: person(8n) },
  joined: { offerer: true, answerer: true },
});

const leave = (conduct: Conduct, times: number, lastedMs: number) => {
  for (let time = 0; time < times; time += 1) {
    const id = `c${time}`;
    conduct.onRoomEvent({ id, kind: "live", side: null, people: { offerer: person(7n), answerer: person(8n) } });
    clock.advance(lastedMs);
    conduct.onRoomEvent(ended(id));
  }
};

test("notices forty calls left within half an hour after a glance, and not longer calls", async () => {
  const conduct = build();
  leave(conduct, 37, 1_000);
  leave(conduct, 3, 60_000);
  await settled();
  expect(moderation.notes).toEqual([]);
  leave(conduct, 40, 1_000);
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "skip_rate", dryRun: true }]);
});

/** Ends `times` rooms of the two users. Sides in `seeing` have reported that they play the partner's video. */
const meetings = (conduct: Conduct, times: number, seeing: readonly ("offerer" | "answerer")[]) => {
  for (let time = 0; time < times; time += 1) {
    const people = { offerer: person(7n), answerer: person(8n) };
    for (const side of seeing) conduct.onRoomEvent({ id: "room", kind: "playing", side, people });
    conduct.onRoomEvent(ended("room"));
  }
};

test("notices a user who in three rooms in a row never reports the partner's video while the partner sees theirs", async () => {
  const conduct = build();
  meetings(conduct, 2, ["answerer"]);
  meetings(conduct, 9, []);
  meetings(conduct, 1, ["answerer", "offerer"]);
  meetings(conduct, 2, ["answerer"]);
  await settled();
  expect(moderation.notes).toEqual([]);
  meetings(conduct, 1, ["answerer"]);
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "denied_video", dryRun: true }]);
});

test("only counts in a dry run, and otherwise opens a case and does nothing else", async () => {
  const dry = build();
  advertise(dry, 5);
  await settled();
  expect(moderation.cases).toEqual([]);
  const real = build(false);
  advertise(real, 5);
  await settled();
  expect(moderation.cases).toMatchObject([{ subjectId: 7n, rule: "repeated_text", reasonId: 11 }]);
  expect(moderation.mutes).toEqual([]);
});

test("drops counts beyond a thousand that wait", async () => {
  const conduct = build();
  const verdict = { rule: "contact_in_chat", mutesChat: false, callId: null, text: null } as const;
  for (let writerId = 1n; writerId <= 1_200n; writerId += 1n) conduct.verdict({ ...verdict, writerId });
  await settled();
  expect(moderation.notes).toHaveLength(1_000);
  conduct.verdict({ ...verdict, writerId: 1_201n });
  await conduct[Symbol.asyncDispose]();
  expect(moderation.notes).toHaveLength(1_001);
});

test("records four findings at a time, and all of them in the end", async () => {
  const conduct = build();
  let running = 0;
  let most = 0;
  const note = moderation.note.bind(moderation);
  moderation.note = async (signal) => {
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
    return note(signal);
  };
  for (let writerId = 1n; writerId <= 20n; writerId += 1n)
    conduct.verdict({ writerId, rule: "contact_in_chat", mutesChat: false, callId: "call-1", text: null });
  await conduct[Symbol.asyncDispose]();
  expect([most, moderation.notes.length]).toEqual([4, 20]);
});
