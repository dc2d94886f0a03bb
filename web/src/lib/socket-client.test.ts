import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { socketHeartbeatMs, socketSilenceMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { type ServerFrame, socketCloseCodes } from "@fava/wire/socket.ts";
import { FakeWebSocket } from "#testing/fake-web-socket.ts";
import { type ChatIdentity, type OutgoingFrame, SocketClient } from "#lib/socket-client.ts";

const identity: ChatIdentity = { tencentId: "x-ana", tencentSign: "sign" };
const notice = { code: pushCodes.systemNotice } as const;

let page: EventTarget;
let sockets: FakeWebSocket[];
let told: unknown[];
let identities: (refused: boolean) => Promise<ChatIdentity | null>;
const clients: SocketClient[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("WebSocket", FakeWebSocket);
  sockets = [];
  told = [];
  identities = async () => identity;
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets promises that are due run, and no time pass. */
const settle = () => vi.advanceTimersByTimeAsync(0);

async function newClient(): Promise<SocketClient> {
  const client = new SocketClient({
    connect: () => {
      const socket = new FakeWebSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    identity: (refused) => identities(refused),
    onFrame: (frame) => told.push(frame),
    onLive: (resumed) => told.push(resumed ? "resumed" : "new"),
    onDropped: () => told.push("dropped"),
    onEnd: (end) => told.push(`end: ${end}`),
  });
  clients.push(client);
  await settle();
  return client;
}

function socketAt(index: number): FakeWebSocket {
  const socket = sockets[index];
  if (!socket) throw new Error(`there is no socket ${index}`);
  return socket;
}

const welcome = (change: Partial<Extract<ServerFrame, { type: "welcome" }>> = {}): ServerFrame => ({
  type: "welcome",
  sessionId: "s1",
  resumed: false,
  sequence: 0,
  ...change,
});
const push = (sequence: number): ServerFrame => ({ type: "push", sequence, push: notice });
const line = (text: string): OutgoingFrame => ({ type: "chat", roomId: "r", roomToken: "t", clientId: text, text });

/** A client whose first socket is live; what was told until then is forgotten. */
async function liveClient(): Promise<SocketClient> {
  const client = await newClient();
  socketAt(0).open();
  socketAt(0).deliver(welcome());
  told = [];
  return client;
}

describe("[SOCKET-1] a chat session", () => {
  test("begins with a hello and lives from the welcome on", async () => {
    const client = await newClient();
    expect(socketAt(0).sent).toEqual([]);
    socketAt(0).open();
    expect(socketAt(0).sent).toEqual([{ type: "hello", ...identity, resume: null }]);
    expect(client.isLive).toBe(false);
    socketAt(0).deliver(welcome());
    expect(client.isLive).toBe(true);
    expect(told).toEqual(["new"]);
  });

  test("hands each push and line on once, acknowledged, whatever is replayed", async () => {
    await liveClient();
    socketAt(0).deliver(push(1));
    socketAt(0).deliver(push(1));
    const chat = { type: "chat", sequence: 2, roomId: "r", clientId: "c", text: "hi", sentAtMs: 1 } as const;
    socketAt(0).deliver(chat);
    socketAt(0).deliver(push(1));
    expect(told).toEqual([push(1), chat]);
    expect(
      socketAt(0)
        .sentOf("ack")
        .map((ack) => ack.sequence),
    ).toEqual([1, 2]);
  });

  test("goes on after a drop from the last sequence it has seen", async () => {
    const client = await liveClient();
    socketAt(0).deliver(push(1));
    socketAt(0).deliver(push(2));
    socketAt(0).lose();
    expect(client.isLive).toBe(false);
    await settle();
    socketAt(1).open();
    expect(socketAt(1).sent).toEqual([{ type: "hello", ...identity, resume: { sessionId: "s1", lastSequence: 2 } }]);
    socketAt(1).deliver(welcome({ resumed: true, sequence: 3 }));
    socketAt(1).deliver(push(2));
    socketAt(1).deliver(push(3));
    expect(told).toEqual([push(1), push(2), "dropped", "resumed", push(3)]);
    expect(
      socketAt(1)
        .sentOf("ack")
        .map((ack) => ack.sequence),
    ).toEqual([3]);
  });

  test("that cannot be resumed begins anew, and counts from the new beginning", async () => {
    await liveClient();
    socketAt(0).deliver(push(7));
    socketAt(0).lose();
    await settle();
    socketAt(1).open();
    socketAt(1).deliver(welcome({ sessionId: "s2" }));
    socketAt(1).deliver(push(1));
    expect(told).toEqual([push(7), "dropped", "new", push(1)]);
    socketAt(1).lose();
    await settle();
    socketAt(2).open();
    expect(socketAt(2).sent[0]).toMatchObject({ resume: { sessionId: "s2", lastSequence: 1 } });
  });

  test("sends what waited once it is resumed, in order, before anything is told", async () => {
    const client = await liveClient();
    socketAt(0).lose();
    client.send(line("a"));
    client.send(line("b"));
    await settle();
    socketAt(1).open();
    client.send(line("c"));
    expect(socketAt(1).sentOf("chat")).toEqual([]);
    socketAt(1).deliver(welcome({ resumed: true }));
    client.send(line("d"));
    expect(
      socketAt(1)
        .sentOf("chat")
        .map(({ text }) => text),
    ).toEqual(["a", "b", "c", "d"]);
  });

  test("drops what waited when it is a new one: its room is gone", async () => {
    const client = await liveClient();
    socketAt(0).lose();
    client.send(line("a"));
    await settle();
    socketAt(1).open();
    socketAt(1).deliver(welcome({ sessionId: "s2" }));
    client.send(line("b"));
    expect(
      socketAt(1)
        .sentOf("chat")
        .map(({ text }) => text),
    ).toEqual(["b"]);
  });

  test("keeps the newest hundred of the frames that wait", async () => {
    const client = await liveClient();
    socketAt(0).lose();
    for (let index = 0; index < 150; index += 1) client.send(line(String(index)));
    await settle();
    socketAt(1).open();
    socketAt(1).deliver(welcome({ resumed: true }));
    const texts = socketAt(1)
      .sentOf("chat")
      .map(({ text }) => text);
    expect(texts).toHaveLength(100);
    expect([texts[0], texts.at(-1)]).toEqual(["50", "149"]);
  });

  test("skips a frame that it cannot read and goes on", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const client = await liveClient();
    socketAt(0).deliver("not json");
    socketAt(0).deliver('{"type":"of a newer server"}');
    socketAt(0).deliver(push(1));
    expect(client.isLive).toBe(true);
    expect(told).toEqual([push(1)]);
  });
});

describe("[SOCKET-2] a dead socket", () => {
  test("is found by its silence: pings go out, and without an answer another socket is opened", async () => {
    await liveClient();
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(socketAt(0).sentOf("ping")).toHaveLength(1);
    socketAt(0).deliver({ type: "pong" });
    // The silence is looked at with each heartbeat, so it may last one heartbeat longer.
    await vi.advanceTimersByTimeAsync(socketSilenceMs - socketHeartbeatMs);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * socketHeartbeatMs);
    expect(sockets).toHaveLength(2);
    expect(told).toEqual(["dropped"]);
    // Not a clean close: the server has to keep the session.
    expect(socketAt(0).closedWith).toBe(4_000);
    socketAt(1).open();
    expect(socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1", lastSequence: 0 } });
  });

  test("lives as long as it answers", async () => {
    await liveClient();
    for (let beat = 0; beat < 20; beat += 1) {
      await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
      socketAt(0).deliver({ type: "pong" });
    }
    expect(sockets).toHaveLength(1);
    expect(told).toEqual([]);
  });

  test("that never opened is given up the same way", async () => {
    await newClient();
    await vi.advanceTimersByTimeAsync(socketSilenceMs + socketHeartbeatMs);
    expect(sockets).toHaveLength(2);
    expect(told).toEqual([]);
  });

  test("is left at once when the network comes back", async () => {
    await liveClient();
    page.dispatchEvent(new Event("online"));
    await settle();
    expect(sockets).toHaveLength(2);
    expect(socketAt(0).closedWith).toBe(4_000);
    socketAt(1).open();
    expect(socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1" } });
  });

  test("changes nothing any more once another has taken its place", async () => {
    const client = await liveClient();
    page.dispatchEvent(new Event("online"));
    await settle();
    told = [];
    socketAt(0).deliver(push(5));
    socketAt(0).deliver(welcome({ sessionId: "old" }));
    socketAt(0).lose(socketCloseCodes.kicked);
    await settle();
    expect(told).toEqual([]);
    expect(client.isLive).toBe(false);
    expect(sockets).toHaveLength(2);
    expect(socketAt(0).sentOf("ack")).toEqual([]);
  });
});

describe("[SOCKET-3] a socket that is lost", () => {
  test("is followed by others, sooner at first and later with pauses, until one lives", async () => {
    await liveClient();
    const pauses = [0, 300, 1_200, 2_700, 4_800, 7_000, 7_000];
    for (const [index, pauseMs] of pauses.entries()) {
      socketAt(index).lose();
      await settle();
      if (pauseMs > 0) {
        await vi.advanceTimersByTimeAsync(pauseMs - 1);
        expect(sockets).toHaveLength(index + 1);
        await vi.advanceTimersByTimeAsync(1);
      }
      expect(sockets).toHaveLength(index + 2);
    }
    expect(told).toEqual(["dropped"]);
    const last = socketAt(pauses.length);
    last.open();
    last.deliver(welcome({ resumed: true }));
    last.lose();
    await settle();
    expect(sockets).toHaveLength(pauses.length + 2);
  });

  test("because the server stops is followed after a pause, so that a crowd does not come back at once", async () => {
    await liveClient();
    socketAt(0).lose(socketCloseCodes.goingAway);
    await vi.advanceTimersByTimeAsync(1_199);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(2);
  });

  test("is not followed while nobody is known, and asked for again later", async () => {
    identities = async () => null;
    await newClient();
    expect(sockets).toHaveLength(0);
    identities = () => Promise.reject(new Error("no network"));
    await vi.advanceTimersByTimeAsync(300);
    expect(sockets).toHaveLength(0);
    identities = async () => identity;
    await vi.advanceTimersByTimeAsync(1_200);
    expect(sockets).toHaveLength(1);
  });

  test("opens one socket however often the network comes back while the identity is on its way", async () => {
    let answer: (found: ChatIdentity) => void = () => undefined;
    identities = () =>
      new Promise((resolve) => {
        const before = answer;
        answer = (found) => {
          before(found);
          resolve(found);
        };
      });
    await newClient();
    page.dispatchEvent(new Event("online"));
    page.dispatchEvent(new Event("online"));
    answer(identity);
    await settle();
    expect(sockets).toHaveLength(1);
  });

  test("by a refused hello is followed by a new session with a fresh signature", async () => {
    const asked: boolean[] = [];
    await liveClient();
    identities = async (refused) => {
      asked.push(refused);
      return { ...identity, tencentSign: refused ? "fresh" : "sign" };
    };
    socketAt(0).lose(socketCloseCodes.badHello);
    await settle();
    socketAt(1).open();
    expect(socketAt(1).sent).toEqual([{ type: "hello", tencentId: "x-ana", tencentSign: "fresh", resume: null }]);
    socketAt(1).deliver(welcome({ sessionId: "s2" }));
    socketAt(1).lose();
    await settle();
    expect(asked).toEqual([true, false]);
  });
});

test.each([
  ["kicked", socketCloseCodes.kicked],
  ["signed-out", socketCloseCodes.signedOut],
  ["banned", socketCloseCodes.banned],
  ["replaced", socketCloseCodes.replaced],
  ["refused", socketCloseCodes.flood],
])("[SOCKET-4] %s ends the session for good", async (end, code) => {
  const client = await liveClient();
  socketAt(0).lose(code);
  expect(told).toEqual(["dropped", `end: ${end}`]);
  page.dispatchEvent(new Event("online"));
  client.send(line("late"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

describe("[SOCKET-5] closing", () => {
  test("says goodbye with 1000, once, and ends every timer", async () => {
    const client = await liveClient();
    client.close();
    expect(socketAt(0).closedWith).toBe(1_000);
    client.close();
    client.send(line("late"));
    socketAt(0).lose(1_000);
    page.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("between two sockets opens no other", async () => {
    const client = await liveClient();
    socketAt(0).lose();
    await settle();
    socketAt(1).lose();
    client.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(2);
  });

  test("while the identity is on its way opens no socket", async () => {
    let answer: (found: ChatIdentity) => void = () => undefined;
    identities = () => new Promise((resolve) => (answer = resolve));
    const client = await newClient();
    client.close();
    answer(identity);
    await settle();
    expect(sockets).toHaveLength(0);
  });
});
