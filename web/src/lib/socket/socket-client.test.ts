import { describe, expect, test, vi } from "vitest";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { eachSocketWorld, identity, line, push, welcome } from "#testing/socket-world.ts";
import type { ChatIdentity } from "./socket-move.ts";

const world = eachSocketWorld();

describe("a chat session", () => {
  test("starts with a hello and is live from the welcome on", async () => {
    const client = await world().newClient();
    expect(world().socketAt(0).sent).toEqual([]);
    world().socketAt(0).open();
    expect(world().socketAt(0).sent).toEqual([{ type: "hello", ...identity, resume: null }]);
    expect(client.isLive).toBe(false);
    world().socketAt(0).deliver(welcome());
    expect(client.isLive).toBe(true);
    expect(world().told).toEqual(["new"]);
  });

  test("passes each push and line on once, whatever is replayed", async () => {
    await world().liveClient();
    world().socketAt(0).deliver(push(1));
    world().socketAt(0).deliver(push(1));
    const chat = { type: "chat", sequence: 2, roomId: "r", clientId: "c", text: "hi", sentAtMs: 1 } as const;
    world().socketAt(0).deliver(chat);
    world().socketAt(0).deliver(push(1));
    expect(world().told).toEqual([push(1), chat]);
  });

  test("resumes after a drop from the last sequence that it has received", async () => {
    const client = await world().liveClient();
    world().socketAt(0).deliver(push(1));
    world().socketAt(0).deliver(push(2));
    world().socketAt(0).lose();
    expect(client.isLive).toBe(false);
    await world().settle();
    world().socketAt(1).open();
    expect(world().socketAt(1).sent).toEqual([
      { type: "hello", ...identity, resume: { sessionId: "s1", lastSequence: 2 } },
    ]);
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true, sequence: 3 }));
    world().socketAt(1).deliver(push(2));
    world().socketAt(1).deliver(push(3));
    expect(world().told).toEqual([push(1), push(2), "dropped", "resumed", push(3)]);
  });

  test("that cannot be resumed starts again, and counts from the new start", async () => {
    await world().liveClient();
    world().socketAt(0).deliver(push(7));
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    world()
      .socketAt(1)
      .deliver(welcome({ sessionId: "s2" }));
    world().socketAt(1).deliver(push(1));
    expect(world().told).toEqual([push(7), "dropped", "new", push(1)]);
    world().socketAt(1).lose();
    await world().settle();
    world().socketAt(2).open();
    expect(world().socketAt(2).sent[0]).toMatchObject({ resume: { sessionId: "s2", lastSequence: 1 } });
  });

  test("sends what waited once it is resumed, in order, before it notifies its owner", async () => {
    const client = await world().liveClient();
    world().socketAt(0).lose();
    client.send(line("a"));
    client.send(line("b"));
    await world().settle();
    world().socketAt(1).open();
    client.send(line("c"));
    expect(world().socketAt(1).sentOf("chat")).toEqual([]);
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true }));
    client.send(line("d"));
    expect(
      world()
        .socketAt(1)
        .sentOf("chat")
        .map(({ text }) => text),
    ).toEqual(["a", "b", "c", "d"]);
  });

  test("drops what waited when it is a new one, because its room is gone", async () => {
    const client = await world().liveClient();
    world().socketAt(0).lose();
    client.send(line("a"));
    await world().settle();
    world().socketAt(1).open();
    world()
      .socketAt(1)
      .deliver(welcome({ sessionId: "s2" }));
    client.send(line("b"));
    expect(
      world()
        .socketAt(1)
        .sentOf("chat")
        .map(({ text }) => text),
    ).toEqual(["b"]);
  });

  test("keeps the newest hundred of the waiting messages", async () => {
    const client = await world().liveClient();
    world().socketAt(0).lose();
    for (let index = 0; index < 150; index += 1) client.send(line(String(index)));
    await world().settle();
    world().socketAt(1).open();
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true }));
    const texts = world()
      .socketAt(1)
      .sentOf("chat")
      .map(({ text }) => text);
    expect(texts).toHaveLength(100);
    expect([texts[0], texts.at(-1)]).toEqual(["50", "149"]);
  });

  test("skips an invalid message", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const client = await world().liveClient();
    world().socketAt(0).deliver("not json");
    world().socketAt(0).deliver('{"type":"of a newer server"}');
    world().socketAt(0).deliver(push(1));
    expect(client.isLive).toBe(true);
    expect(world().told).toEqual([push(1)]);
  });
});

test.each([
  ["kicked", socketCloseCodes.kicked],
  ["signed-out", socketCloseCodes.signedOut],
  ["banned", socketCloseCodes.banned],
  ["replaced", socketCloseCodes.replaced],
  ["refused", socketCloseCodes.flood],
])("ends the session for good when the server closes the socket as %s", async (end, code) => {
  const client = await world().liveClient();
  world().socketAt(0).lose(code);
  expect(world().told).toEqual(["dropped", `end: ${end}`]);
  world().page.dispatchEvent(new Event("online"));
  client.send(line("late"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(world().sockets).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

describe("closing", () => {
  test("closes cleanly with 1000, once, and ends every timer", async () => {
    const client = await world().liveClient();
    client.close();
    expect(world().socketAt(0).closedWith).toBe(1_000);
    client.close();
    client.send(line("late"));
    world().socketAt(0).lose(1_000);
    world().page.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world().sockets).toHaveLength(1);
    expect(world().told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("opens no other socket between two", async () => {
    const client = await world().liveClient();
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).lose();
    client.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world().sockets).toHaveLength(2);
  });

  test("opens no socket while the identity loads", async () => {
    let answer: (found: ChatIdentity) => void = () => undefined;
    world().identities = () => new Promise((resolve) => (answer = resolve));
    const client = await world().newClient();
    client.close();
    answer(identity);
    await world().settle();
    expect(world().sockets).toHaveLength(0);
  });
});
