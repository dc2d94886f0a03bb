import { expect, test } from "vitest";
import { peerAnswerMs } from "#ports/peers.ts";
import { badInput } from "#lib/errors.ts";
import { TestClock } from "#test/fakes/clock.ts";
import { frameHandlers } from "./frame-routes.ts";

const context = { session: { userId: 1n }, file: Buffer.from("a frame") } as never;
const input = { user_id: 1, room_id: "room", ticket: "ticket" } as const;

test("responds once the frame is judged or refused, and before a server that passed it on stops waiting", async () => {
  const clock = new TestClock();
  let judged: () => void = () => undefined;
  const judging = new Promise<void>((resolve) => (judged = resolve));
  const upload = (take: () => Promise<void>) => frameHandlers({ take }, clock).videoInspect(context, input);
  const waiting = upload(() => judging);
  clock.advance(peerAnswerMs - 1);
  expect(await waiting).toEqual({});
  judged();
  expect(await upload(() => judging)).toEqual({});
  await expect(upload(() => Promise.reject(badInput("no such ticket", "ticket")))).rejects.toMatchObject({ code: 400 });
  expect(clock.pendingCount).toBe(0);
});
