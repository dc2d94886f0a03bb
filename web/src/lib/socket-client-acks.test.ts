import { describe, expect, test, vi } from "vitest";
import { socketAckDelayMs, socketAckMessagesMax, socketHeartbeatMs } from "@fava/wire/limits.ts";
import { eachSocketWorld, identity, line, push, welcome } from "#testing/socket-world.ts";

const world = eachSocketWorld();

function deliver(...sequences: number[]): void {
  for (const sequence of sequences) world().sockets.at(-1)?.deliver(push(sequence));
}

function acknowledged(socket = 0): number[] {
  return world()
    .socketAt(socket)
    .sentOf("ack")
    .map(({ sequence }) => sequence);
}

describe("[SOCKET-7] what has arrived is acknowledged alone where it cannot ride", () => {
  test("together, by the newest of 100 ms", async () => {
    await world().plainClient();
    deliver(1);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs / 2);
    deliver(2, 3);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs / 2 - 1);
    expect(acknowledged()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(acknowledged()).toEqual([3]);
    await vi.advanceTimersByTimeAsync(10 * socketAckDelayMs);
    expect(acknowledged()).toEqual([3]);
    deliver(4);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect(acknowledged()).toEqual([3, 4]);
  });

  test("at once when sixteen frames wait, and the next ones have their own 100 ms", async () => {
    await world().plainClient();
    deliver(...numbers(1, socketAckMessagesMax - 1));
    expect(acknowledged()).toEqual([]);
    deliver(socketAckMessagesMax);
    expect(acknowledged()).toEqual([16]);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs / 2);
    deliver(17);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs - 1);
    expect(acknowledged()).toEqual([16]);
    await vi.advanceTimersByTimeAsync(1);
    expect(acknowledged()).toEqual([16, 17]);
  });

  test("ten times a second at most while frames come in steadily", async () => {
    await world().plainClient();
    for (const sequence of numbers(1, 100)) {
      deliver(sequence);
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(acknowledged().length).toBeLessThanOrEqual(10);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect(acknowledged().at(-1)).toBe(100);
  });

  test("before the goodbye, and never after it", async () => {
    const client = await world().plainClient();
    deliver(1, 2);
    client.close();
    expect(world().socketAt(0).sent.at(-1)).toEqual({ type: "ack", sequence: 2 });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("by the hello that resumes, when the socket is lost meanwhile", async () => {
    await world().plainClient();
    deliver(1, 2);
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1", lastSequence: 2 } });
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true, sequence: 2 }));
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect([acknowledged(0), acknowledged(1)]).toEqual([[], []]);
    deliver(3);
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect(acknowledged(1)).toEqual([3]);
  });

  test("never to a session that is another one", async () => {
    await world().plainClient();
    deliver(7);
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    world()
      .socketAt(1)
      .deliver(welcome({ sessionId: "s2" }));
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect(acknowledged(1)).toEqual([]);
  });
});

describe("[SOCKET-8] what has arrived is acknowledged on what is sent next", () => {
  /** What the messages after the hello said has arrived. */
  const ridden = (socket = 0) =>
    world()
      .socketAt(socket)
      .sent.slice(1)
      .map((frame) => ("ack" in frame ? [frame.type, frame.ack] : [frame.type]));

  test("whatever that is, once, and nothing is sent for it alone", async () => {
    const client = await world().liveClient();
    expect(world().socketAt(0).sent[0]).toMatchObject({ type: "hello", ridingAcks: true });
    deliver(1, 2);
    await vi.advanceTimersByTimeAsync(10 * socketAckDelayMs);
    expect(ridden()).toEqual([]);
    client.send(line("a"));
    client.send(line("b"));
    expect(ridden()).toEqual([["chat", 2], ["chat"]]);
    deliver(3);
    client.send({ type: "typing", externalId: "x-bo" });
    expect(ridden().at(-1)).toEqual(["typing", 3]);
  });

  test("on the next ping where nothing else is sent", async () => {
    await world().liveClient();
    deliver(1);
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(ridden()).toEqual([["ping", 1]]);
    world().socketAt(0).deliver({ type: "pong" });
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(ridden()).toEqual([["ping", 1], ["ping"]]);
  });

  test("alone when sixteen wait, and before a goodbye", async () => {
    const client = await world().liveClient();
    deliver(...numbers(1, socketAckMessagesMax));
    expect(acknowledged()).toEqual([socketAckMessagesMax]);
    deliver(17);
    client.close();
    expect(acknowledged()).toEqual([socketAckMessagesMax, 17]);
  });

  test("by the hello that resumes, and not again on the new socket", async () => {
    const client = await world().liveClient();
    deliver(1, 2);
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { lastSequence: 2 }, ridingAcks: true });
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true, sequence: 2 }));
    client.send(line("a"));
    expect(ridden(1)).toEqual([["chat"]]);
  });

  test("never on a message to an older server, which refused the hello that says so and takes the next one", async () => {
    const client = await world().plainClient();
    expect(world().socketAt(0).sent[0]).toEqual({ type: "hello", ...identity, resume: null });
    deliver(1);
    client.send(line("a"));
    await vi.advanceTimersByTimeAsync(socketAckDelayMs);
    expect(ridden()).toEqual([["chat"], ["ack"]]);
  });
});

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
