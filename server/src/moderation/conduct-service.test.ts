import { beforeEach, expect, test } from "vitest";
import type { Matched, RoomEvent } from "#calls/room-service.ts";
import type { CaseSignal, AccountRestrictions } from "#ports/moderation.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { noTextLog } from "#test/fakes/no-text-log.ts";
import { ChatFilter } from "./chat-filter.ts";
import { ConductService } from "./conduct-service.ts";
import { scanText } from "./text-service.ts";

const hourMs = 3_600_000;
const speaker = { country: "TR", languages: ["en"] };
const writer = { userId: 7n, readerId: 8n, callId: "call-1", clientId: "line-1", writer: speaker, reader: speaker };

class FakeModeration {
  readonly notes: { userId: bigint; rule: string; dryRun: boolean }[] = [];
  readonly cases: CaseSignal[] = [];
  readonly mutes: { userId: bigint; rule: string; untilMs: number }[] = [];
  mutedUntil: number | null = null;

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
  async restrictionsOf(): Promise<AccountRestrictions> {
    return { pausedUntil: null, mutedUntil: this.mutedUntil, isNew: false, isWatched: false, startsCovered: false };
  }
}

let clock: TestClock;
let moderation: FakeModeration;
/** The filter of chat lines together with what follows from them, as the product puts them together. */
const build = (botsDryRun = true) => {
  const filter = new ChatFilter({ clock, scan: scanText, log: noTextLog });
  const logger = { error: (problem: unknown) => expect.unreachable(String(problem)) };
  const conduct = new ConductService({ clock, moderation, botsDryRun, logger, filter });
  return {
    evaluate: (line: Parameters<ChatFilter["evaluate"]>[0], text: string) => filter.evaluate(line, text),
    onRoomEvent: (event: RoomEvent) => conduct.onRoomEvent(event),
    [Symbol.asyncDispose]: () => conduct[Symbol.asyncDispose](),
  };
};
type Conduct = ReturnType<typeof build>;
/** Of a room only who is in it matters here. */
const person = (userId: bigint) => ({ userId }) as Matched;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  clock = new TestClock();
  moderation = new FakeModeration();
});

test("[TEXT-66] the third contact of a day mutes for an hour and opens a case; the first two do neither", async () => {
  const conduct = build();
  for (const _ of [1, 2]) {
    expect(conduct.evaluate(writer, "t.me/ana")).toMatchObject({ kind: "changed" });
    await settled();
  }
  expect([moderation.mutes, moderation.cases]).toEqual([[], []]);
  conduct.evaluate(writer, "t.me/ana");
  await settled();
  const untilMs = clock.nowMs() + hourMs;
  expect(moderation.mutes).toEqual([{ userId: 7n, rule: "contact_in_chat", untilMs }]);
  expect(moderation.cases).toMatchObject([{ subjectId: 7n, rule: "contact_in_chat", reasonId: 6, callId: "call-1" }]);
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "muted", untilMs });
  clock.advance(hourMs);
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "pass" });
});

test("[TEXT-67] whoever is muted stays so in the next call and after a restart", async () => {
  const conduct = build();
  moderation.mutedUntil = clock.nowMs() + hourMs;
  conduct.onRoomEvent({
    id: "call-1",
    kind: "matched",
    claim: Promise.resolve(1),
    side: null,
    people: { offerer: person(7n), answerer: person(8n) },
  });
  await settled();
  expect(conduct.evaluate(writer, "hello")).toEqual({ kind: "muted", untilMs: moderation.mutedUntil });
});

const advert = "come and see my new channel, it is free for you";
const advertise = (conduct: Conduct, calls: number) => {
  for (let call = 1; call <= calls; call += 1) {
    conduct.evaluate({ ...writer, callId: `call-${call}` }, advert);
    conduct.evaluate({ ...writer, callId: `call-${call}` }, advert);
  }
};

test("[BOT-1] the same line in five calls of an hour is noticed once, and a short one never", async () => {
  const conduct = build();
  advertise(conduct, 4);
  await settled();
  expect(moderation.notes).toEqual([]);
  advertise(conduct, 9);
  for (let call = 1; call <= 9; call += 1) conduct.evaluate({ ...writer, callId: `call-${call}` }, "hi how are you");
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "repeated_text", dryRun: true }]);
});

test("[BOT-1] pictures and signs between its words do not make a line another one", async () => {
  const conduct = build();
  const signs = ["😂", "...", "🇹🇷", " ❤️ ", "，", "-"];
  for (const [call, sign] of signs.entries())
    conduct.evaluate({ ...writer, callId: `call-${call}` }, `заходи ко мне на${sign}канал, там весело`);
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "repeated_text", dryRun: true }]);
});

/** The first of the two goes on to the next person. */
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

test("[BOT-2] who leaves forty calls within half an hour after a glance is noticed; who stays a while is not", async () => {
  const conduct = build();
  leave(conduct, 37, 1_000);
  leave(conduct, 3, 60_000);
  await settled();
  expect(moderation.notes).toEqual([]);
  leave(conduct, 40, 1_000);
  await settled();
  expect(moderation.notes).toEqual([{ userId: 7n, rule: "skip_rate", dryRun: true }]);
});

/** Rooms of the two that end; `seeing` say that they play the other's picture. */
const meetings = (conduct: Conduct, times: number, seeing: readonly ("offerer" | "answerer")[]) => {
  for (let time = 0; time < times; time += 1) {
    const people = { offerer: person(7n), answerer: person(8n) };
    for (const side of seeing) conduct.onRoomEvent({ id: "room", kind: "playing", side, people });
    conduct.onRoomEvent(ended("room"));
  }
};

test("[BOT-5] who never says in three rooms in a row that they see the other, who sees them, is noticed", async () => {
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

test("[BOT-3] a dry run only counts; otherwise a person is to look, and nothing else follows", async () => {
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

test("a flood of stopped lines is masked all the same, and no more than a thousand are counted at once", async () => {
  const conduct = build();
  for (let userId = 1n; userId <= 1_200n; userId += 1n)
    expect(conduct.evaluate({ ...writer, userId, callId: `call-${userId}` }, "you whore")).toMatchObject({
      delivered: { text: "•••" },
    });
  await settled();
  expect(moderation.notes).toHaveLength(1_000);
  conduct.evaluate({ ...writer, userId: 1_201n, callId: "call-1201" }, "you whore");
  expect(moderation.notes).toHaveLength(1_001);
  await conduct[Symbol.asyncDispose]();
});

test("[BOT-6] whatever is noticed at once, four are counted at a time, and all in the end", async () => {
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
  for (let person = 1n; person <= 20n; person += 1n)
    conduct.evaluate({ ...writer, userId: person }, "my whatsapp is +90 532 123 45 67");
  await conduct[Symbol.asyncDispose]();
  expect([most, moderation.notes.length]).toEqual([4, 20]);
});
