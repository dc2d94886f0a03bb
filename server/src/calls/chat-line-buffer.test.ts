import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EvidenceItem } from "#ports/moderation.ts";
import { InspectionWorld } from "#test/fixtures/inspection-world.ts";
import { ChatLineBuffer } from "./chat-line-buffer.ts";
import { ChatLimiter } from "./live-room.ts";
import type { RoomChatMessage } from "./room-service.ts";

const [ana, bo] = [1n, 2n];

describe("lines of a call", () => {
  let world: InspectionWorld;
  let room: string;

  beforeEach(async () => {
    world = new InspectionWorld();
    room = await world.inCall(ana, bo);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  /** Sends a line, then waits 500 ms: the sustained rate that the limit allows. */
  function write(userId: bigint, text: string): void {
    const roomToken = world.calls.current(userId)?.match.token ?? "";
    world.matches.roomMessage(userId, { type: "chat", roomId: room, roomToken, clientId: `id of ${text}`, text });
    world.clock.advance(500);
  }
  const linesOf = (items: readonly EvidenceItem[]) =>
    items.flatMap((item) => (item.kind === "lines" ? item.lines : []));
  /** The lines in Bo's report about Ana. */
  const reported = (lineId: string | null = null) =>
    linesOf(world.inspection.of({ subjectId: ana, otherId: bo, callId: room, lineId }, () => {}).items);
  const texts = () => reported().map(({ text }) => text);

  test("keeps an insult that its writer follows with sixty harmless lines", () => {
    write(ana, "the insult");
    for (let count = 0; count < 60; count += 1) write(ana, `harmless ${count}`);
    expect(texts()).toContain("the insult");
  });

  test("keeps the lines of a side however many the other side writes", () => {
    for (let count = 0; count < 40; count += 1) write(ana, `early ${count}`);
    for (let count = 0; count < 100; count += 1) write(bo, `flood ${count}`);
    expect(reported().filter(({ from }) => from === "person")).toHaveLength(40);
  });

  test("marks the reported line, and only among the lines of the reported user", () => {
    write(bo, "same");
    write(ana, "same");
    for (let count = 0; count < 60; count += 1) write(ana, `harmless ${count}`);
    const named = reported("id of same").filter((line) => line.reported);
    expect(named).toMatchObject([{ from: "person", text: "same" }]);
    expect(reported("nothing like it").some((line) => line.reported)).toBe(false);
  });

  test("returns the chat of a call without pictures, as evidence about one of its users", () => {
    write(ana, "1");
    const about = (subjectId: bigint, callId = room) => linesOf(world.inspection.linesOf({ subjectId, callId }));
    expect([about(ana), about(bo)]).toMatchObject([[{ from: "person" }], [{ from: "other" }]]);
    expect([about(3n), about(ana, "another call")]).toEqual([[], []]);
  });

  test("orders the lines of both sides by time", () => {
    for (const [userId, text] of [
      [ana, "1"],
      [bo, "2"],
      [ana, "3"],
    ] as const)
      write(userId, text);
    expect(texts()).toEqual(["1", "2", "3"]);
  });
});

function line(atMs: number, change: Partial<RoomChatMessage> = {}): RoomChatMessage {
  const text = `line ${atMs}`;
  const delivered = { text, hidden: [], cover: null };
  return { id: "room", clientId: `id ${atMs}`, fromId: ana, text, spans: [], delivered, atMs, ...change };
}

describe("lines of one side", () => {
  test("keeps the newest sixty however old they are", () => {
    const lines = new ChatLineBuffer();
    for (let count = 0; count < 100; count += 1) lines.keep(line(count * 600_000));
    const kept = lines.evidence("person");
    expect([kept.length, kept.at(-1)?.at]).toEqual([60, 99 * 600_000]);
  });

  test("keeps a reported line that is older than the newest sixty, and no other old line", () => {
    const lines = new ChatLineBuffer();
    for (let count = 0; count < 200; count += 1) lines.keep(line(count * 10_000));
    const kept = lines.evidence("person", "id 50000");
    expect([kept.length, kept[0]]).toEqual([61, { at: 50_000, from: "person", text: "line 50000", reported: true }]);
    expect(lines.evidence("person", "nothing like it")).toHaveLength(60);
  });

  test("keeps all lines of two minutes that the limit of chat lines allows, within a bound", () => {
    const lines = new ChatLineBuffer();
    const limiter = new ChatLimiter(0);
    const passed: number[] = [];
    const write = (atMs: number) => {
      if (limiter.take(`id ${passed.length}`, atMs) !== "taken") return;
      passed.push(atMs);
      lines.keep(line(atMs));
      expect(lines.evidence("person").length).toBeLessThanOrEqual(320);
    };
    for (let atMs = 0; atMs < 600_000; atMs += 250) write(atMs);
    // After the pause, the limit allows 20 lines at once.
    for (let atMs = 620_000; atMs < 720_000; atMs += 250) write(atMs);
    const newest = passed.at(-1) ?? 0;
    const young = passed.filter((atMs) => atMs > newest - 120_000);
    expect(young.length).toBeGreaterThan(200);
    const kept = new Set(lines.evidence("person").map(({ at }) => at));
    expect(young.filter((atMs) => !kept.has(atMs))).toEqual([]);
  });
});

describe("withheld lines", () => {
  const phone = [{ start: 5, end: 12, finding: "phone" as const }];
  const hidden = line(1, {
    text: "call 5551234",
    spans: phone,
    delivered: { text: "call •••", hidden: [{ start: 5, end: 8, finding: "phone" }], cover: null },
  });
  const abuse = [{ start: 0, end: 8, finding: "abuse" as const }];
  const cover = { kind: "threat" as const, text: "a threat" };
  const covered = line(2, { text: "a threat", spans: abuse, delivered: { text: "•••", hidden: [], cover } });
  const refused = line(3, { text: "about a minor", delivered: null });
  const withheld = [
    { at: 1, from: "person", text: "call •••", withheld: { how: "hidden", original: "call 5551234", spans: phone } },
    {
      at: 2,
      from: "person",
      text: "a threat",
      withheld: { how: "covered", kind: "threat", original: "a threat", spans: abuse },
    },
    { at: 3, from: "person", text: "", withheld: { how: "refused", original: "about a minor" } },
  ];

  test("keeps hidden, covered and refused lines with what was written, whatever follows them", () => {
    const lines = new ChatLineBuffer();
    for (const each of [hidden, covered, refused]) lines.keep(each);
    for (let count = 0; count < 1_000; count += 1) lines.keep(line(1_000_000 + count * 500));
    const kept = lines.evidence("person");
    expect(kept.slice(0, 3)).toEqual(withheld);
    expect(kept.slice(3).every((each) => each.withheld === undefined)).toBe(true);
    expect(kept.length).toBeLessThanOrEqual(320);
  });

  test("keeps the newest withheld lines, within the bound", () => {
    const lines = new ChatLineBuffer();
    for (let count = 0; count < 1_000; count += 1) lines.keep({ ...refused, atMs: count });
    const kept = lines.evidence("person");
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([320, 680, 999]);
  });

  test("keeps contact details of the other side hidden", () => {
    const lines = new ChatLineBuffer();
    const both = { kind: "insult" as const, text: "fool, call •••" };
    const text = "fool, call 5551234";
    for (const each of [hidden, line(2, { text, spans: phone, delivered: { text: "•••", hidden: [], cover: both } })])
      lines.keep(each);
    expect(lines.evidence("other")).toEqual([
      { at: 1, from: "other", text: "call •••" },
      {
        at: 2,
        from: "other",
        text: both.text,
        withheld: { how: "covered", kind: "insult", original: both.text, spans: [] },
      },
    ]);
  });
});
