import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { GatheredWrites } from "./gathered-writes.ts";

/** A socket, and the texts of each write of its stream. */
function newSocket(writes: GatheredWrites) {
  const written: string[][] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (piece: Buffer, _encoding, done) => {
      written.push(textsIn(piece));
      done();
    },
  });
  const socket = { readyState: 1, OPEN: 1 } as unknown as WebSocket;
  writes.attach(socket, stream);
  return { socket, stream, written };
}

/** As the protocol says it, in words of our own. */
function textsIn(frames: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < frames.length;) {
    expect(frames[at]).toBe(0x81);
    const short = frames[at + 1]!;
    const [head, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, frames.readUInt16BE(at + 2)]
          : [10, Number(frames.readBigUInt64BE(at + 2))];
    texts.push(frames.toString("utf8", at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

let writes: GatheredWrites;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  writes = new GatheredWrites();
});
afterEach(() => {
  writes[Symbol.dispose]();
  vi.useRealTimers();
});

test("[SOCKET-90] what a socket is sent in one turn of the event loop is one write, in its order", async () => {
  const [ana, bo] = [newSocket(writes), newSocket(writes)];
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

test("[SOCKET-90] a text that can wait goes out with the next one, or after 20 ms by itself", async () => {
  const { socket, written } = newSocket(writes);
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

test("[SOCKET-90] a text that can wait does not take the others of its turn apart", async () => {
  const { socket, written } = newSocket(writes);
  writes.send(socket, "stored", true);
  writes.send(socket, "line", false);
  vi.advanceTimersByTime(20);
  writes.send(socket, "line two", false);
  await nextTurn();
  expect(written).toEqual([["stored", "line", "line two"]]);
});

test("[SOCKET-90] what is held goes out before a goodbye and when all ends, and nothing after a goodbye", async () => {
  const [ana, bo, cem] = [newSocket(writes), newSocket(writes), newSocket(writes)];
  writes.send(ana.socket, "last", true);
  writes.send(bo.socket, "now", false);
  writes.send(cem.socket, "too late", false);
  writes.flush(ana.socket);
  expect(ana.written).toEqual([["last"]]);
  Object.assign(cem.socket, { readyState: 2 });
  writes[Symbol.dispose]();
  await nextTurn();
  expect([ana.written, bo.written, cem.written]).toEqual([[["last"]], [["now"]], []]);
});

test("[SOCKET-90] texts of any length and script arrive as they were sent", async () => {
  const { socket, written } = newSocket(writes);
  const texts = [
    "",
    "x".repeat(125),
    "y".repeat(126),
    "é".repeat(63),
    "نص 微信 🙂",
    "z".repeat(40_000),
    "ü".repeat(35_000),
  ];
  for (const text of texts) writes.send(socket, text, false);
  // More than a socket is to hold goes out at once.
  expect(written).toEqual([texts]);
  await nextTurn();
  expect(written).toEqual([texts]);
});
