import { expect, test, vi } from "vitest";
import { socketAnswerMs, socketHeartbeatMs, socketRequestArrivalMs, socketRequestPingMs } from "@fava/wire/limits.ts";
import { eachSocketWorld, welcome } from "#testing/socket-world.ts";
import { SocketLost } from "./socket-requests.ts";

const world = eachSocketWorld();
const signed = {
  path: "/api/video/match/stop",
  timestamp: "1",
  nonce: "n",
  signature: "s",
  token: "t",
  contentType: "c",
  body: "b",
};
const never = new AbortController().signal;
const answer = { code: 200, data: { done: true } };

/** How a request ended, as soon as it has. */
function outcomeOf(request: Promise<unknown>): { readonly now: unknown } {
  const outcome = { now: "on its way" as unknown };
  request.then(
    (said) => (outcome.now = said),
    (error: unknown) => (outcome.now = error instanceof SocketLost ? "lost" : error),
  );
  return outcome;
}

test("sends a request in the same turn and resolves it by its own response, in any order", async () => {
  const client = await world().liveClient();
  const first = outcomeOf(client.request(signed, never));
  const second = outcomeOf(client.request({ ...signed, nonce: "m" }, never));
  const socket = world().socketAt(0);
  expect(socket.sentOf("request")).toEqual([
    { type: "request", id: 1, ...signed },
    { type: "request", id: 2, ...signed, nonce: "m" },
  ]);
  socket.deliver({ type: "response", id: 2, answer });
  socket.deliver({ type: "response", id: 9, answer });
  await world().settle();
  expect([first.now, second.now]).toEqual(["on its way", answer]);
  socket.deliver({ type: "response", id: 1, answer: { code: 404 } });
  await world().settle();
  expect(first.now).toEqual({ code: 404 });
});

test("[SIGN-66] gives a socket up that shows no arrival of a request, and opens another one", async () => {
  const client = await world().liveClient();
  const request = outcomeOf(client.request(signed, never));
  await vi.advanceTimersByTimeAsync(socketRequestArrivalMs - 1);
  expect([request.now, world().sockets.length]).toEqual(["on its way", 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect([request.now, world().sockets.length, world().socketAt(0).closedWith]).toEqual(["lost", 2, 4_000]);
  world().socketAt(1).open();
  expect(world().socketAt(1).sent[0]).toMatchObject({ resume: { sessionId: "s1", lastSequence: 0 } });
});

test("[SIGN-66] takes no pong of an earlier ping as proof, and keeps waiting for the response to an arrived request", async () => {
  const client = await world().liveClient();
  await vi.advanceTimersByTimeAsync(socketHeartbeatMs);
  const unheard = outcomeOf(client.request(signed, never));
  world().socketAt(0).deliver({ type: "pong" });
  await vi.advanceTimersByTimeAsync(socketRequestArrivalMs);
  expect(unheard.now).toBe("lost");

  world().socketAt(1).open();
  world()
    .socketAt(1)
    .deliver(welcome({ resumed: true }));
  const heard = outcomeOf(client.request(signed, never));
  await vi.advanceTimersByTimeAsync(socketRequestPingMs);
  world().socketAt(1).deliver({ type: "pong" });
  await vi.advanceTimersByTimeAsync(2 * socketRequestArrivalMs);
  expect([heard.now, world().sockets.length]).toEqual(["on its way", 2]);
  world().socketAt(1).deliver({ type: "response", id: 2, answer });
  await world().settle();
  expect(heard.now).toEqual(answer);
});

test("[SIGN-66] sends no ping for a request that is answered at once, and one for a slower request", async () => {
  const client = await world().liveClient();
  const socket = world().socketAt(0);
  const before = socket.sentOf("ping").length;
  const quick = outcomeOf(client.request(signed, never));
  socket.deliver({ type: "response", id: 1, answer });
  await vi.advanceTimersByTimeAsync(socketRequestPingMs);
  expect([quick.now, socket.sentOf("ping").length - before]).toEqual([answer, 0]);
  const slow = outcomeOf(client.request(signed, never));
  await vi.advanceTimersByTimeAsync(socketRequestPingMs - 1);
  expect(socket.sentOf("ping").length - before).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([slow.now, socket.sentOf("ping").length - before]).toEqual(["on its way", 1]);
});

test("[SIGN-66] loses the pending requests with the socket, or when the page closes it", async () => {
  const client = await world().liveClient();
  const dropped = outcomeOf(client.request(signed, never));
  world().socketAt(0).lose();
  await world().settle();
  expect(dropped.now).toBe("lost");
  world().socketAt(1).open();
  world()
    .socketAt(1)
    .deliver(welcome({ resumed: true }));
  const closed = outcomeOf(client.request(signed, never));
  client.close();
  await world().settle();
  expect(closed.now).toBe("lost");
  await expect(client.request(signed, never)).rejects.toThrow(SocketLost);
});

test("sends nothing over a socket that is not live yet, or that has an unanswered ping", async () => {
  const client = await world().newClient();
  await expect(client.request(signed, never)).rejects.toThrow(SocketLost);
  world().socketAt(0).open();
  world().socketAt(0).deliver(welcome());
  await vi.advanceTimersByTimeAsync(socketHeartbeatMs + socketAnswerMs);
  await expect(client.request(signed, never)).rejects.toThrow(SocketLost);
  expect(world().socketAt(0).sentOf("request")).toEqual([]);
});

test("[SIGN-20] rejects an aborted request with its reason, and keeps the socket", async () => {
  const client = await world().liveClient();
  const owner = new AbortController();
  const request = outcomeOf(client.request(signed, owner.signal));
  owner.abort("enough");
  await world().settle();
  expect(request.now).toBe("enough");
  await expect(client.request(signed, owner.signal)).rejects.toBe("enough");
  expect(world().socketAt(0).sentOf("request")).toHaveLength(1);
  // No timer is left that would report the request as lost.
  world().socketAt(0).deliver({ type: "pong" });
  await vi.advanceTimersByTimeAsync(socketRequestArrivalMs);
  expect(world().sockets).toHaveLength(1);
});
