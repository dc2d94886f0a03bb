import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { block } from "@fava/wire/endpoints/social.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hidePerson } from "#features/people/relations.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { noteSocket } from "#lib/socket/connection.ts";
import { clearForSignOut, readStored } from "#lib/storage.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");
vi.mock("#features/people/relations.ts");

const panic = await import("./panic.ts");
const exited = { userId: 8, nickname: "bo", callId: "m1", lineId: null };
const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;
const sent = () => vi.mocked(smallRequest).mock.calls.map(([endpoint, input]) => [endpoint, input]);
const both = (id: number, { userId, callId } = exited) => [
  [block, { user_id: 7, other_id: userId }],
  [feedback, { user_id: 7, other_id: userId, id, call_id: callId }],
];
const silence = new RequestFailure({ code: 0, reason: "network" });

/** Fava was out of reach, and answers again. */
function comeBack(): void {
  noteSocket("quiet");
  noteSocket("live");
}

let owner: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  owner = new AbortController();
  vi.stubGlobal("window", new EventTarget());
  vi.mocked(currentUser).mockReturnValue(me);
  vi.mocked(smallRequest).mockResolvedValue({});
});

afterEach(async () => {
  owner.abort();
  await panic.leavePanic();
  clearForSignOut();
  noteSocket("closed");
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("[SAFE-221] block and report go five seconds after the key, and the person is hidden everywhere", async () => {
  panic.exitFrom(exited, panic.reasonAtFirst);
  await vi.advanceTimersByTimeAsync(undoMs - 1);
  expect(sent()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual(both(7));
  expect(hidePerson).toHaveBeenCalledWith(8, expect.any(Promise));
  expect(readStored("unsentPanic")).toBeNull();
  expect(panic.isPanicShown()).toBe(true);
});

test("[TEXT-721] a report over a line names it, also when it goes with the next page", async () => {
  const over = { ...exited, lineId: "line-1" };
  vi.mocked(smallRequest).mockRejectedValue(silence);
  panic.exitFrom(over, 5);
  await panic.leavePanic();
  vi.mocked(smallRequest).mockReset().mockResolvedValue({});
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  const about = { user_id: 7, other_id: 8, id: 5, call_id: "m1", line_id: "line-1" };
  expect(sent()).toContainEqual([feedback, about]);
});

test("[SAFE-222] after undo neither goes, now or with the next page", async () => {
  panic.exitFrom(exited, panic.reasonAtFirst);
  panic.undoPanic();
  await vi.advanceTimersByTimeAsync(undoMs);
  await panic.leavePanic();
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual([]);
  expect(panic.isPanicShown()).toBe(false);
});

test("[SAFE-223] the reason that was said goes along, a later one as a further report", async () => {
  panic.exitFrom(exited, panic.reasonAtFirst);
  panic.sayReason(9);
  await vi.advanceTimersByTimeAsync(undoMs);
  panic.sayReason(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual([...both(9), [feedback, { user_id: 7, other_id: 8, id: 4, call_id: "m1" }]]);
});

test("[CASE-583] the person's own words go with the report or after it, and are kept until they have arrived", async () => {
  panic.exitFrom(exited, panic.reasonAtFirst);
  panic.writeNote("He shouted");
  expect(readStored("unsentPanic")).toContain("He shouted");
  await vi.advanceTimersByTimeAsync(undoMs);
  expect(sent()).toEqual(both(7));
  panic.sendNote();
  await vi.advanceTimersByTimeAsync(0);
  const more = { user_id: 7, other_id: 8, id: 7, call_id: "m1", note: "He shouted" };
  expect(sent()).toEqual([...both(7), [feedback, more]]);
});

test("[SAFE-224] going on sends at once, and waits until it is stored", async () => {
  const answers: ((answer: object) => void)[] = [];
  vi.mocked(smallRequest).mockImplementation(() => new Promise((resolve) => void answers.push(resolve)) as never);
  panic.exitFrom(exited, panic.reasonAtFirst);
  const gone = vi.fn<() => void>();
  void panic.leavePanic().then(gone);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual(both(7));
  expect(gone).not.toHaveBeenCalled();
  expect(panic.isPanicShown()).toBe(false);
  for (const answer of answers) answer({});
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toHaveBeenCalledOnce();
});

test("[SAFE-224] a page that is closed sends at once, in a way that outlives it", () => {
  panic.watchPanic(owner.signal);
  panic.exitFrom(exited, panic.reasonAtFirst);
  window.dispatchEvent(new Event("pagehide"));
  expect(sent()).toEqual(both(7));
  for (const [, , options] of vi.mocked(smallRequest).mock.calls) expect(options).toEqual({ keepalive: true });
});

test("[SAFE-224] what did not arrive is sent by the next page, for the same person only", async () => {
  vi.mocked(smallRequest).mockRejectedValue(silence);
  panic.exitFrom(exited, panic.reasonAtFirst);
  await panic.leavePanic();
  expect(readStored("unsentPanic")).not.toBeNull();
  vi.mocked(smallRequest).mockReset().mockResolvedValue({});
  vi.mocked(currentUser).mockReturnValue({ ...me, user_id: 70 });
  const stranger = new AbortController();
  panic.watchPanic(stranger.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  stranger.abort();
  expect(sent()).toEqual([]);
  vi.mocked(currentUser).mockReturnValue(me);
  panic.watchPanic(owner.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual(both(7));
  expect(readStored("unsentPanic")).toBeNull();
});

describe("[SAFE-227] exits that did not arrive", () => {
  const another = { userId: 9, nickname: "cleo", callId: "m2", lineId: null };

  async function leaveUnheard(...people: (typeof exited)[]): Promise<void> {
    vi.mocked(smallRequest).mockRejectedValue(silence);
    for (const person of people) {
      panic.exitFrom(person, panic.reasonAtFirst);
      await panic.leavePanic();
    }
    vi.mocked(smallRequest).mockReset().mockResolvedValue({});
  }

  test("are kept beside each other, and all sent when Fava answers again", async () => {
    panic.watchPanic(owner.signal);
    await leaveUnheard(exited, another);
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual(expect.arrayContaining([...both(7), ...both(7, another)]));
    expect(sent()).toHaveLength(4);
    expect(readStored("unsentPanic")).toBeNull();
    comeBack();
    expect(sent()).toHaveLength(4);
  });

  test("are sent with the next one, whose arrival takes none of them away", async () => {
    panic.watchPanic(owner.signal);
    await leaveUnheard(exited);
    vi.mocked(smallRequest).mockImplementation(async (_endpoint, input) => {
      if ((input as { other_id: number }).other_id === exited.userId) throw silence;
      return {} as never;
    });
    panic.exitFrom(another, panic.reasonAtFirst);
    expect(sent()).toEqual(expect.arrayContaining(both(7)));
    await vi.advanceTimersByTimeAsync(undoMs);
    expect(sent()).toEqual(expect.arrayContaining(both(7, another)));
    vi.mocked(smallRequest).mockReset().mockResolvedValue({});
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toHaveLength(2);
    expect(sent()).toEqual(expect.arrayContaining(both(7)));
  });

  test("leave alone what can still be taken back", async () => {
    panic.watchPanic(owner.signal);
    panic.exitFrom(exited, panic.reasonAtFirst);
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual([]);
    panic.undoPanic();
    expect(readStored("unsentPanic")).toBeNull();
  });

  test("are sent with the word of the page that still shows one", async () => {
    panic.watchPanic(owner.signal);
    vi.mocked(smallRequest).mockRejectedValue(silence);
    panic.exitFrom(exited, panic.reasonAtFirst);
    await vi.advanceTimersByTimeAsync(undoMs);
    panic.sayReason(9);
    vi.mocked(smallRequest).mockReset().mockResolvedValue({});
    comeBack();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent()).toEqual(expect.arrayContaining(both(9)));
    expect(sent()).toHaveLength(2);
  });
});
