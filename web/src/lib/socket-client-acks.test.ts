import { describe, expect, test, vi } from "vitest";
import { socketAckMessagesMax, socketHeartbeatMs } from "@fava/wire/limits.ts";
import { eachSocketWorld, line, push, welcome } from "#testing/socket-world.ts";

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

describe("acknowledgements", () => {
  /** The type of each message after the hello, with the acknowledgement that it carries. */
  const ridden = (socket = 0) =>
    world()
      .socketAt(socket)
      .sent.slice(1)
      .map((frame) => ("ack" in frame ? [frame.type, frame.ack] : [frame.type]));

  test("ride once on the next message, and are not sent alone", async () => {
    const client = await world().liveClient();
    deliver(1, 2);
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs - 1);
    expect(ridden()).toEqual([]);
    client.send(line("a"));
    client.send(line("b"));
    expect(ridden()).toEqual([["chat", 2], ["chat"]]);
    deliver(3);
    client.send({ type: "typing", externalId: "x-bo" });
    expect(ridden().at(-1)).toEqual(["typing", 3]);
  });

  test("ride on the next ping when nothing else is sent", async () => {
    await world().liveClient();
    deliver(1);
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(ridden()).toEqual([["ping", 1]]);
    world().socketAt(0).deliver({ type: "pong" });
    await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
    expect(ridden()).toEqual([["ping", 1], ["ping"]]);
  });

  test("are sent alone when sixteen wait, and before a clean close", async () => {
    const client = await world().liveClient();
    deliver(...numbers(1, socketAckMessagesMax));
    expect(acknowledged()).toEqual([socketAckMessagesMax]);
    deliver(17);
    client.close();
    expect(acknowledged()).toEqual([socketAckMessagesMax, 17]);
  });

  test("are part of the hello that resumes, and are not repeated on the new socket", async () => {
    const client = await world().liveClient();
    deliver(1, 2);
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { lastSequence: 2 } });
    world()
      .socketAt(1)
      .deliver(welcome({ resumed: true, sequence: 2 }));
    client.send(line("a"));
    expect(ridden(1)).toEqual([["chat"]]);
  });

  test("are never sent to another session", async () => {
    const client = await world().liveClient();
    deliver(7);
    world().socketAt(0).lose();
    await world().settle();
    world().socketAt(1).open();
    world()
      .socketAt(1)
      .deliver(welcome({ sessionId: "s2" }));
    client.send(line("a"));
    expect(ridden(1)).toEqual([["chat"]]);
  });
});

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
