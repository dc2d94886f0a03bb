import { describe, expect, test, vi } from "vitest";
import {
  socketHeartbeatMs,
  socketMoveMs,
  socketMovePressMs,
  socketMoveRetryMs,
  socketMoveSettleMs,
  socketRequestArrivalMs,
} from "@fava/wire/limits.ts";
import { socketCloseCodes } from "@fava/wire/socket.ts";
import { eachSocketWorld, identity, line, push, welcome } from "#testing/socket-world.ts";
import type { SignedMessage } from "./socket-requests.ts";

const world = eachSocketWorld();
const call = { path: "/v1/somewhere", body: "" } as SignedMessage;

/** A client that was told to move, with its first socket and the second one, which is not open yet. */
async function movingClient() {
  const client = await world().liveClient();
  const first = world().socketAt(0);
  first.deliver(push(1));
  world().told = [];
  first.deliver({ type: "move" });
  await world().settle();
  return { client, first, second: world().socketAt(1) };
}

type Moving = Awaited<ReturnType<typeof movingClient>>;

/** The second socket takes over the session, as the server does it. */
function handOver({ first, second }: Pick<Moving, "first" | "second">): void {
  second.open();
  first.deliver({ type: "pong" });
  first.lose(socketCloseCodes.moved);
  second.deliver(welcome({ resumed: true, sequence: 1 }));
}

const texts = (client: { sentOf: (type: "chat") => { text: string }[] }) =>
  client.sentOf("chat").map(({ text }) => text);

describe("a page that is told to move", () => {
  test("opens a second socket before the first closes, without notifying its owner, who stayed connected", async () => {
    const { client, first, second } = await movingClient();
    expect([first.closedWith, client.isLive]).toEqual([null, true]);
    expect(first.sent.filter(({ type }) => type === "ping")).toEqual([]);
    second.open();
    expect([second.sent, first.sent.at(-1)]).toEqual([[], { type: "ping", ack: 1 }]);
    first.deliver(push(2));
    first.deliver({ type: "pong" });
    const resume = { sessionId: "s1", lastSequence: 2 };
    expect(second.sent).toEqual([{ type: "hello", ...identity, resume }]);
    // The last message of the first socket; the messages of the second are handled after it.
    second.deliver(welcome({ resumed: true, sequence: 2 }));
    second.deliver(push(4));
    first.deliver(push(3));
    first.lose(socketCloseCodes.moved);
    second.deliver(push(4));
    second.deliver(push(5));
    expect(world().told).toEqual([push(2), push(3), push(4), push(5)]);
    expect([client.isLive, second.closedWith, world().sockets.length]).toEqual([true, null, 2]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(second.sent.at(-1)).toEqual({ type: "ping", ack: 5 });
  });

  test("sends its messages in order: over the first socket until that has all, then over the second", async () => {
    const { client, first, second } = await movingClient();
    client.send(line("a"));
    second.open();
    client.send(line("b"));
    first.deliver({ type: "pong" });
    client.send(line("c"));
    expect([texts(first), texts(second)]).toEqual([["a"], []]);
    first.lose(socketCloseCodes.moved);
    second.deliver(welcome({ resumed: true, sequence: 1 }));
    client.send(line("d"));
    expect([texts(first), texts(second)]).toEqual([["a"], ["b", "c", "d"]]);
  });

  test("waits for the pending requests of the first socket, and sends none meanwhile", async () => {
    const { client, first, second } = await movingClient();
    const { signal } = new AbortController();
    const asked = client.request(call, signal);
    second.open();
    await expect(client.request(call, signal)).rejects.toThrow("no socket answers");
    first.deliver({ type: "pong" });
    expect(second.sent).toEqual([]);
    first.deliver({ type: "response", id: 1, answer: { code: 200 } });
    expect([await asked, second.sent.length]).toEqual([{ code: 200 }, 1]);
  });

  test("waits only briefly for a first socket that does not respond, or does not close", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    await vi.advanceTimersByTimeAsync(socketMoveSettleMs);
    expect(second.sent).toHaveLength(1);
    second.deliver(welcome({ resumed: true, sequence: 1 }));
    second.deliver(push(2));
    expect(world().told).toEqual([]);
    await vi.advanceTimersByTimeAsync(socketMoveSettleMs);
    expect([world().told, first.closedWith, client.isLive]).toEqual([[push(2)], 4_000, true]);
  });

  test("moves again when the next server stops, too", async () => {
    const { second, first } = await movingClient();
    handOver({ first, second });
    second.deliver({ type: "move" });
    second.deliver({ type: "move" });
    await world().settle();
    handOver({ first: second, second: world().socketAt(2) });
    world().socketAt(2).deliver(push(2));
    expect([world().told, world().sockets.length]).toEqual([[push(2)], 3]);
  });
});

describe("the server that a socket names", () => {
  test("is the one that has the session, once that has confirmed it", async () => {
    await world().newClient();
    world().socketAt(0).open();
    world()
      .socketAt(0)
      .deliver(welcome({ server: "one" }));
    world().socketAt(0).lose();
    await vi.advanceTimersByTimeAsync(0);
    world().socketAt(1).open();
    world().socketAt(1).deliver(welcome());
    world().socketAt(1).lose();
    await vi.advanceTimersByTimeAsync(0);
    expect(world().servers).toEqual([null, "one", null]);
  });

  test("is the one that the page is told to move to, also on retries, and any if none was named", async () => {
    const { first } = await movingClient();
    world().socketAt(1).lose();
    expect(world().servers).toEqual([null, null]);
    await vi.advanceTimersByTimeAsync(2 * socketMoveRetryMs);
    world().socketAt(2).lose();
    first.deliver({ type: "move", to: "two" });
    await world().settle();
    world().socketAt(3).lose();
    await vi.advanceTimersByTimeAsync(2 * socketMoveRetryMs);
    expect(world().servers).toEqual([null, null, null, "two", "two"]);
  });

  test("waits for a move to end, but no longer than a press may take", async () => {
    const { client, first, second } = await movingClient();
    expect(client.isMoving).toBe(true);
    const waits: string[] = [];
    void client.whenSettled().then(() => waits.push("first"));
    handOver({ first, second });
    await world().settle();
    expect([waits, client.isMoving]).toEqual([["first"], false]);
    await client.whenSettled();
    second.deliver({ type: "move", to: "two" });
    void client.whenSettled().then(() => waits.push("second"));
    await vi.advanceTimersByTimeAsync(socketMovePressMs - 1);
    expect(waits).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(1);
    expect([waits, client.isMoving]).toEqual([["first", "second"], true]);
  });
});

describe("a page whose call is at another server", () => {
  test("sends the ticket of the call, and follows each redirect with a hello, with delays if they repeat", async () => {
    world().ticket = "t";
    await world().newClient();
    for (const [index, to] of ["one", "two", "three", "four", "five"].entries()) {
      world().socketAt(index).open();
      expect(world().socketAt(index).sentOf("hello")[0]).toMatchObject({ ticket: "t" });
      world().socketAt(index).deliver({ type: "move", to });
      await world().settle();
    }
    expect(world().servers).toEqual([null, "one", "two", "three", "four"]);
    await vi.advanceTimersByTimeAsync(300);
    expect(world().servers.at(-1)).toBe("five");
  });

  test("moves where the server of its second socket redirects it, and stays if that is the first", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    first.deliver({ type: "pong" });
    second.deliver({ type: "move", to: "two" });
    await world().settle();
    expect([world().servers.at(-1), second.closedWith, client.isLive]).toEqual(["two", 4_000, true]);
    handOver({ first, second: world().socketAt(2) });
    world()
      .socketAt(2)
      .deliver(welcome({ resumed: true, sequence: 1, server: "two" }));
    world().socketAt(2).deliver({ type: "move", to: "three" });
    await world().settle();
    world().socketAt(3).open();
    world().socketAt(2).deliver({ type: "pong" });
    world().socketAt(3).deliver({ type: "move", to: "two" });
    await vi.advanceTimersByTimeAsync(2 * socketMoveRetryMs);
    expect([world().servers.length, client.isMoving, client.isLive]).toEqual([4, false, true]);
  });
});

describe("a page that cannot move", () => {
  test.each([
    ["is refused", async ({ second }: Moving) => second.lose()],
    [
      "does not open",
      async ({ first }: Moving) => {
        await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
        first.deliver({ type: "pong" });
        await vi.advanceTimersByTimeAsync(socketMoveMs - socketHeartbeatMs);
      },
    ],
  ])("stays with the first socket if the second one %s, and tries again", async (_how, fail) => {
    const moving = await movingClient();
    const { client, first } = moving;
    await fail(moving);
    client.send(line("a"));
    expect([texts(first), client.isLive, world().told]).toEqual([["a"], true, []]);
    await vi.advanceTimersByTimeAsync(2 * socketMoveRetryMs);
    first.deliver({ type: "pong" });
    handOver({ first, second: world().socketAt(2) });
    world().socketAt(2).deliver(push(2));
    expect(world().told.filter((told) => typeof told === "object")).toEqual([push(2)]);
    expect(client.isLive).toBe(true);
  });

  test("sends over the first what waited for a second that is lost after it opened", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    client.send(line("a"));
    second.lose();
    expect([texts(first), world().told]).toEqual([["a"], []]);
  });

  test("reconnects as after any loss when the first was closed meanwhile", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    first.deliver({ type: "pong" });
    first.lose(socketCloseCodes.moved);
    client.send(line("a"));
    second.lose();
    expect([world().told, client.isLive]).toEqual([["dropped"], false]);
    await world().settle();
    const third = world().socketAt(2);
    third.open();
    third.deliver(welcome({ resumed: true, sequence: 1 }));
    expect([world().told, texts(third)]).toEqual([["dropped", "resumed"], ["a"]]);
  });

  test("starts a new session when the old one was lost during the move", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    client.send(line("of the room before"));
    first.lose(socketCloseCodes.moved);
    second.deliver(welcome({ sessionId: "s2" }));
    second.deliver(push(1));
    expect([world().told, texts(second), client.isLive]).toEqual([["dropped", "new", push(1)], [], true]);
  });

  test("leaves the second socket when the first is lost before that is open, or the page closes", async () => {
    const { client, first, second } = await movingClient();
    first.lose();
    expect([world().told, second.closedWith]).toEqual([["dropped"], 4_000]);
    await world().settle();
    world().socketAt(2).open();
    world()
      .socketAt(2)
      .deliver(welcome({ resumed: true, sequence: 1 }));
    world().socketAt(2).deliver({ type: "move" });
    await world().settle();
    world().socketAt(3).open();
    client.close();
    expect([world().socketAt(2).closedWith, world().socketAt(3).closedWith]).toEqual([1_000, 4_000]);
    await vi.advanceTimersByTimeAsync(socketRequestArrivalMs + socketMoveMs);
    expect([world().sockets.length, vi.getTimerCount()]).toEqual([4, 0]);
  });

  test("ends for good when the first socket reports so meanwhile", async () => {
    const { client, first, second } = await movingClient();
    second.open();
    first.lose(socketCloseCodes.banned);
    expect([world().told, second.closedWith, client.isLive]).toEqual([["dropped", "end: banned"], 4_000, false]);
  });
});
