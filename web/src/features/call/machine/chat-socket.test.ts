import { socketHelloMs, socketRequestBodyBytesMax } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeWebSocket } from "#testing/fake-web-socket.ts";
import { ownUser } from "#testing/own-user.ts";
import { push, welcome } from "#testing/socket-world.ts";
import { ChatSocket } from "./chat-socket.ts";

const minuteMs = 60_000;

let sockets: FakeWebSocket[];
let told: unknown[];
let chat: ChatSocket;

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, told] = [[], []];
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", { protocol: "https:", host: "fava.example" });
  vi.stubGlobal(
    "WebSocket",
    class extends FakeWebSocket {
      readonly address: string;
      constructor(address: string) {
        super();
        this.address = address;
        sockets.push(this);
      }
    },
  );
  const listener = {
    ticket: () => null,
    frame: (frame: unknown) => told.push(frame),
    live: (resumed: boolean) => told.push(resumed ? "resumed" : "new"),
    end: (end: unknown) => told.push(end),
  };
  chat = new ChatSocket(listener, {
    currentUser: () => ownUser({ tencent_sign: "kept" }),
    refreshUser: async () => ownUser({ tencent_sign: "fresh" }),
  });
});

afterEach(() => {
  chat.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Opens the newest socket. Returns the signature of its hello message. */
async function hello(): Promise<string | undefined> {
  await vi.advanceTimersByTimeAsync(0);
  const socket = sockets.at(-1);
  socket?.open();
  return socket?.sentOf("hello")[0]?.tencentSign;
}

/** Closes the newest socket with `code`. Returns the signature of the next hello message. */
async function helloAfter(code: number): Promise<string | undefined> {
  sockets.at(-1)?.lose(code);
  await vi.advanceTimersToNextTimerAsync();
  return hello();
}

test("connects to the page's own server with the chat id and a fresh signature", async () => {
  chat.open();
  chat.open();
  expect(await hello()).toBe("fresh");
  expect(sockets).toHaveLength(1);
  expect(sockets[0]).toMatchObject({ address: "wss://fava.example/ws?to=" });
  expect(sockets[0]?.sentOf("hello")[0]?.tencentId).toBe("x-ana");
});

test("uses a signature for five minutes, unless the server rejects it", async () => {
  chat.open();
  await hello();
  expect(await helloAfter(1_006)).toBe("kept");
  expect(await helloAfter(4_004)).toBe("fresh");
  sockets.at(-1)?.deliver(welcome());
  for (let beat = 0; beat < 60; beat += 1) {
    await vi.advanceTimersByTimeAsync(minuteMs / 12);
    sockets.at(-1)?.deliver({ type: "pong" });
  }
  expect(await helloAfter(1_006)).toBe("kept");
  await vi.advanceTimersByTimeAsync(1);
  expect(await helloAfter(1_006)).toBe("fresh");
});

test("tells waiting requests when the chat session is live, or that it failed", async () => {
  chat.open();
  const early = chat.whenLive();
  await hello();
  sockets[0]?.deliver(welcome());
  expect(await early).toBe(true);
  expect(await chat.whenLive()).toBe(true);
  expect(told).toEqual(["new"]);

  chat.close();
  chat.open();
  const given = chat.whenLive();
  await vi.advanceTimersByTimeAsync(socketHelloMs);
  expect(await given).toBe(false);
  const closed = chat.whenLive();
  chat.close();
  expect(await closed).toBe(false);
});

describe("a signed request", () => {
  const headers = { timestamp: "1", nonce: "n", signature: "s", token: "t", "content-type": "c" };
  const request = (body = "سلام \r\n") => ({
    path: "/api/video/match/stop",
    headers,
    body: new TextEncoder().encode(body),
    signal: new AbortController().signal,
    keepalive: true,
  });
  const post = vi.fn<typeof fetch>(async () => Response.json({ code: 200, data: "by POST" }));

  beforeEach(() => {
    post.mockClear();
    vi.stubGlobal("fetch", post);
  });

  async function live(): Promise<FakeWebSocket> {
    chat.open();
    await hello();
    const socket = sockets.at(-1) as FakeWebSocket;
    socket.deliver(welcome());
    return socket;
  }

  test("is sent over the socket unchanged while the chat session is live", async () => {
    const socket = await live();
    const carried = chat.carry(request());
    expect(socket.sentOf("request")).toEqual([
      {
        type: "request",
        id: 1,
        path: "/api/video/match/stop",
        timestamp: "1",
        nonce: "n",
        signature: "s",
        token: "t",
        contentType: "c",
        body: "سلام \r\n",
      },
    ]);
    socket.deliver({ type: "response", id: 1, answer: { code: 462 } });
    expect(await carried).toEqual({ code: 462 });
    expect(post).not.toHaveBeenCalled();
  });

  test("is sent by POST without a live chat session, and when it is too large for the socket", async () => {
    expect(await chat.carry(request())).toEqual({ code: 200, data: "by POST" });
    const socket = await live();
    await chat.carry(request("x".repeat(socketRequestBodyBytesMax + 1)));
    expect([post.mock.calls.length, socket.sentOf("request")]).toEqual([2, []]);
  });

  test("[SIGN-66] is sent by POST with the same signature when the socket is lost before the response", async () => {
    const socket = await live();
    const sent = request();
    const carried = chat.carry(sent);
    socket.lose(1_006);
    expect(await carried).toEqual({ code: 200, data: "by POST" });
    expect(post.mock.calls).toMatchObject([[sent.path, { method: "POST", headers, body: sent.body, keepalive: true }]]);
  });

  test("[SIGN-20] is not sent by POST after it was aborted", async () => {
    await live();
    const owner = new AbortController();
    const carried = chat.carry({ ...request(), signal: owner.signal });
    owner.abort(new Error("enough"));
    await expect(carried).rejects.toThrow("enough");
    expect(post).not.toHaveBeenCalled();
  });
});

test("closes with its own code when the page closes", async () => {
  chat.open();
  await hello();
  chat.leavePage();
  expect([sockets[0]?.closedWith, chat.isOpen]).toEqual([4_007, false]);
  chat.open();
  await hello();
  chat.close();
  expect(sockets[1]?.closedWith).toBe(1_000);
});

test("passes messages on, and can open a new session after the end of one", async () => {
  chat.open();
  await hello();
  sockets[0]?.deliver(welcome());
  sockets[0]?.deliver(push(1));
  sockets[0]?.lose(4_001);
  expect(told).toEqual(["new", push(1), "kicked"]);
  expect(chat.isOpen).toBe(false);
  chat.open();
  expect(chat.isOpen).toBe(true);
  await hello();
  expect(sockets).toHaveLength(2);
});
