import { undoMs } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { relationOf } from "#features/people/relations.ts";
import { noteSocket } from "#lib/socket/connection.ts";
import { clearForSignOut, readStored, writeStored } from "#lib/storage.ts";
import { silence } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { ownUser } from "#testing/own-user.ts";
import { serve, type ServedWorld, signIn, signOut, stopServing } from "#testing/serve.ts";
import * as panic from "./panic.ts";

const exited = { userId: 8, nickname: "bo", callId: "m1", lineId: null };
const sent = () => ({
  blocks: server.asked("block").map(({ other_id }) => other_id),
  reports: server.asked("feedback").map(({ other_id, id, call_id }) => [other_id, id, call_id]),
});
/** A block and a report with this reason for each of these people. */
const both = (reason: number, ...people: (typeof exited)[]) => ({
  blocks: people.map(({ userId }) => userId),
  reports: people.map(({ userId, callId }) => [userId, reason, callId]),
});
const nothing = both(7);
const aTurn = () => vi.advanceTimersByTimeAsync(0);

let server: ServedWorld;

/** Forgets the requests so far and answers the next ones. */
function serveAnew(): void {
  server = serve({ block: {}, feedback: {}, myInfo: ownUser() });
}

function beSilent(): void {
  server.answer({ block: silence, feedback: silence });
}

/** The server was unreachable and responds again. */
function comeBack(): void {
  noteSocket("quiet");
  noteSocket("live");
}

let owner: AbortController;

beforeEach(async () => {
  vi.useFakeTimers();
  owner = new AbortController();
  vi.stubGlobal("window", new EventTarget());
  serveAnew();
  await signIn(server);
});

afterEach(async () => {
  owner.abort();
  await panic.leavePanic();
  noteSocket("closed");
  stopServing();
  clearForSignOut();
  vi.useRealTimers();
});

test("sends block and report five seconds after the exit, and hides the partner everywhere", async () => {
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  await vi.advanceTimersByTimeAsync(undoMs - 1);
  expect(sent()).toEqual(nothing);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual(both(7, exited));
  expect(relationOf(8)).toMatchObject({ hidden: true });
  expect(readStored("unsentPanic")).toBeNull();
  expect(panic.isPanicShown()).toBe(true);
});

test("names the line in a report about one, also when the next page sends it", async () => {
  beSilent();
  panic.startEmergencyExit({ ...exited, lineId: "line-1" }, 5);
  await panic.leavePanic();
  serveAnew();
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  const about = { user_id: 7, other_id: 8, id: 5, call_id: "m1", line_id: "line-1" };
  expect(server.asked("feedback")).toMatchObject([about]);
});

test("sends neither after undo, now or with the next page", async () => {
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  panic.undoPanic();
  await vi.advanceTimersByTimeAsync(undoMs);
  await panic.leavePanic();
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(nothing);
  expect(panic.isPanicShown()).toBe(false);
});

test("sends the chosen reason with the report, a later one as a further report", async () => {
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  panic.choosePanicReason(9);
  await vi.advanceTimersByTimeAsync(undoMs);
  panic.choosePanicReason(4);
  await aTurn();
  const { blocks, reports } = both(9, exited);
  expect(sent()).toEqual({ blocks, reports: [...reports, [8, 4, "m1"]] });
});

test("sends the user's own words with the report or after it, and keeps them until they have arrived", async () => {
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  panic.writeNote("He shouted");
  expect(readStored("unsentPanic")).toContain("He shouted");
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(sent()).toEqual(both(7, exited));
  panic.sendNote();
  await aTurn();
  const [first, more] = server.asked("feedback");
  expect(first).not.toHaveProperty("note");
  expect(more).toMatchObject({ user_id: 7, other_id: 8, id: 7, call_id: "m1", note: "He shouted" });
  expect(sent().blocks).toEqual([8]);
});

test("sends at once when the user continues, and waits until it is stored", async () => {
  const [blocked, reported] = [heldAnswer<object>(), heldAnswer<object>()];
  server.answer({ block: () => blocked.answer, feedback: () => reported.answer });
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  const gone = vi.fn<() => void>();
  void panic.leavePanic().then(gone);
  await aTurn();
  expect(sent()).toEqual(both(7, exited));
  expect(gone).not.toHaveBeenCalled();
  expect(panic.isPanicShown()).toBe(false);
  for (const { give } of [blocked, reported]) give({});
  await aTurn();
  expect(gone).toHaveBeenCalledOnce();
});

test("sends with keepalive when the page closes", async () => {
  panic.watchPanic(owner.signal);
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  server.keptAlive.splice(0);
  window.dispatchEvent(new Event("pagehide"));
  await aTurn();
  expect(sent()).toEqual(both(7, exited));
  expect(server.keptAlive).toEqual([true, true]);
});

test("sends what did not arrive from the next page, for the same user only", async () => {
  beSilent();
  panic.startEmergencyExit(exited, panic.reasonAtFirst);
  await panic.leavePanic();
  const unsent = readStored("unsentPanic");
  expect(unsent).not.toBeNull();
  serveAnew();
  signOut();
  await signIn(server, ownUser({ user_id: 70 }));
  if (unsent !== null) writeStored("unsentPanic", unsent);
  const stranger = new AbortController();
  panic.watchPanic(stranger.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  stranger.abort();
  expect(sent()).toEqual(nothing);
  signOut();
  await signIn(server);
  if (unsent !== null) writeStored("unsentPanic", unsent);
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(both(7, exited));
  expect(readStored("unsentPanic")).toBeNull();
});

describe("exits that did not arrive", () => {
  const another = { userId: 9, nickname: "cleo", callId: "m2", lineId: null };

  async function leaveUnheard(...people: (typeof exited)[]): Promise<void> {
    beSilent();
    for (const person of people) {
      panic.startEmergencyExit(person, panic.reasonAtFirst);
      await panic.leavePanic();
    }
    serveAnew();
  }

  test("are kept beside each other, and all sent when the server responds again", async () => {
    panic.watchPanic(owner.signal);
    await leaveUnheard(exited, another);
    comeBack();
    await aTurn();
    expect(sent()).toEqual(both(7, exited, another));
    expect(readStored("unsentPanic")).toBeNull();
    comeBack();
    await aTurn();
    expect(sent()).toEqual(both(7, exited, another));
  });

  test("are sent with the next one, whose arrival removes none of them", async () => {
    panic.watchPanic(owner.signal);
    await leaveUnheard(exited);
    const onlyTheOther = ({ other_id }: { other_id: number }) => (other_id === exited.userId ? silence : {});
    server.answer({ block: onlyTheOther, feedback: onlyTheOther });
    panic.startEmergencyExit(another, panic.reasonAtFirst);
    await aTurn();
    expect(sent()).toEqual(both(7, exited));
    await vi.advanceTimersByTimeAsync(undoMs);
    expect(sent().blocks).toEqual(expect.arrayContaining([8, 9]));
    expect(sent().reports).toEqual(expect.arrayContaining(both(7, exited, another).reports));
    serveAnew();
    comeBack();
    await aTurn();
    expect(sent()).toEqual(both(7, exited));
  });

  test("are not sent while the user can still undo them", async () => {
    panic.watchPanic(owner.signal);
    panic.startEmergencyExit(exited, panic.reasonAtFirst);
    comeBack();
    await aTurn();
    expect(sent()).toEqual(nothing);
    panic.undoPanic();
    expect(readStored("unsentPanic")).toBeNull();
  });

  test("are sent with the latest words when a page still shows one", async () => {
    panic.watchPanic(owner.signal);
    beSilent();
    panic.startEmergencyExit(exited, panic.reasonAtFirst);
    await vi.advanceTimersByTimeAsync(undoMs);
    panic.choosePanicReason(9);
    await aTurn();
    serveAnew();
    comeBack();
    await aTurn();
    expect(sent()).toEqual(both(9, exited));
  });
});
