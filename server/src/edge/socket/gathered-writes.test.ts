import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { GatheredWrites } from "./hub.ts";

/** A socket, and what each write of its stream was. */
function newSocket(writes: GatheredWrites) {
  const written: string[][] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (piece: Buffer, _encoding, done) => {
      written.push([String(piece)]);
      done();
    },
    writev: (pieces, done) => {
      written.push(pieces.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  const socket = { send: (text: string) => stream.write(text) } as unknown as WebSocket;
  writes.attach(socket, stream);
  return { socket, stream, written };
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

test("[SOCKET-90] the end of a stream lets go what it holds, and so does disposing", () => {
  const [ana, bo] = [newSocket(writes), newSocket(writes)];
  writes.send(ana.socket, "last", true);
  writes.send(bo.socket, "now", false);
  ana.stream.end();
  expect(ana.written).toEqual([["last"]]);
  writes[Symbol.dispose]();
  expect(bo.written).toEqual([["now"]]);
});
