import { EventEmitter } from "node:events";
import { IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { CorkedWrites } from "./corked-writes.ts";

const textFrame = 0x81;
const closeFrame = 0x88;
const upgradeHeaders = {
  upgrade: "websocket",
  connection: "Upgrade",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

let writes: CorkedWrites;
let opened: WebSocket[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  writes = new CorkedWrites();
  opened = [];
});
afterEach(() => {
  writes[Symbol.dispose]();
  for (const socket of opened) socket.terminate();
  vi.useRealTimers();
});

/** A socket, and the messages in each write of its stream. */
function newSocket() {
  const written: string[][] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (piece: Buffer, _encoding, done) => {
      written.push(textsIn(piece));
      done();
    },
    writev: (pieces, done) => {
      written.push(textsIn(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer))));
      done();
    },
  });
  // Methods that a network socket has in addition.
  Object.assign(stream, { setTimeout: () => stream, setNoDelay: () => stream });
  const request = Object.assign(new EventEmitter() as IncomingMessage, { method: "GET", headers: upgradeHeaders });
  const server = new WebSocketServer({ noServer: true, clientTracking: false });
  let socket: WebSocket | undefined;
  server.handleUpgrade(request, stream, Buffer.alloc(0), (one) => (socket = one));
  opened.push(socket!);
  written.length = 0;
  writes.attach(socket!, stream);
  return { socket: socket!, written };
}

/** Texts of unmasked WebSocket frames (RFC 6455); a close frame is "(close)". */
function textsIn(frames: Buffer): string[] {
  if (frames.toString("latin1", 0, 4) === "HTTP") return ["(upgrade)"];
  const texts: string[] = [];
  for (let at = 0; at < frames.length;) {
    const short = frames[at + 1]!;
    const [head, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, frames.readUInt16BE(at + 2)]
          : [10, Number(frames.readBigUInt64BE(at + 2))];
    const isClose = frames[at] === closeFrame;
    if (!isClose) expect(frames[at]).toBe(textFrame);
    texts.push(isClose ? "(close)" : frames.toString("utf8", at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

test("writes what a socket is sent in one turn of the event loop once, in its order", async () => {
  const [ana, bo] = [newSocket(), newSocket()];
  writes.send(ana.socket, "one", false);
  writes.send(bo.socket, "other", false);
  writes.send(ana.socket, "two", false);
  expect([ana.written, bo.written]).toEqual([[], []]);
  await nextTurn();
  expect([ana.written, bo.written]).toEqual([[["one", "two"]], [["other"]]]);
  writes.send(ana.socket, "three", false);
  await nextTurn();
  expect(ana.written).toEqual([["one", "two"], ["three"]]);
});

test("sends a text that can wait with the next one, or after 20 ms by itself", async () => {
  const { socket, written } = newSocket();
  writes.send(socket, "stored", true);
  await nextTurn();
  expect(written).toEqual([]);
  writes.send(socket, "line", false);
  await nextTurn();
  expect(written).toEqual([["stored", "line"]]);
  writes.send(socket, "stored again", true);
  vi.advanceTimersByTime(20);
  expect(written).toEqual([["stored", "line"], ["stored again"]]);
});

test("keeps the texts of a turn together when one that can wait is due", async () => {
  const { socket, written } = newSocket();
  writes.send(socket, "stored", true);
  writes.send(socket, "line", false);
  vi.advanceTimersByTime(20);
  writes.send(socket, "line two", false);
  await nextTurn();
  expect(written).toEqual([["stored", "line", "line two"]]);
});

test("writes what is held before a goodbye and at the end, and nothing after a goodbye", async () => {
  const [ana, bo, cem] = [newSocket(), newSocket(), newSocket()];
  writes.send(ana.socket, "last", true);
  writes.send(bo.socket, "now", false);
  writes.flush(ana.socket);
  expect(ana.written).toEqual([["last"]]);
  ana.socket.close(1000);
  expect(ana.written).toEqual([["last"], ["(close)"]]);
  writes.send(ana.socket, "too late", false);
  writes.send(cem.socket, "before", false);
  cem.socket.close(1000);
  writes[Symbol.dispose]();
  await nextTurn();
  expect([ana.written, bo.written, cem.written]).toEqual([[["last"], ["(close)"]], [["now"]], [["before", "(close)"]]]);
});

test("sends texts of any length and script as they are, and holds no more than 64 KiB", async () => {
  const { socket, written } = newSocket();
  const texts = [
    "x".repeat(125),
    "y".repeat(126),
    "é".repeat(63),
    "نص 微信 🙂",
    "z".repeat(40_000),
    "ü".repeat(35_000),
  ];
  for (const text of texts) writes.send(socket, text, false);
  expect(written).toEqual([texts]);
  await nextTurn();
  expect(written).toEqual([texts]);
});
