import type { InputOf } from "@fava/wire/endpoint.ts";
import type { matchStart } from "@fava/wire/endpoints/match.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { traceparentSchema } from "@fava/wire/traceparent.ts";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CachedOffer } from "#features/call/room/offer-cache.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import type { SignedAhead } from "#lib/api/request.ts";
import { removeStored } from "#lib/storage.ts";
import { type FakeCallPorts, fakeCallPorts } from "#testing/call-ports.ts";
import type { CallEvent, CallState } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import { MatchRequests } from "./match-requests.ts";
import { noteSearchChecksTold } from "./search-media.ts";

const wish = { sex: 0, country: -1 } as const;
const searching = { status: "searching", wish, attempt: 1, sinceMs: 0, previous: null } as unknown as CallState;

let ports: FakeCallPorts;
let requests: MatchRequests;
const dispatch = vi.fn<(event: CallEvent) => void>();
const searches = vi.fn<() => void>();
/** Answers the pending search request. */
let answer: () => void;

beforeEach(() => {
  ports = fakeCallPorts();
  dispatch.mockClear();
  searches.mockClear();
  ports.request.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ state: "searching", price: 0, since: 0 });
      }),
  );
  // The fake makes an offer at once.
  ports.offers.peek.mockImplementation(() => (prepared().length > 0 ? ({ sdp: "offer" } as CachedOffer) : null));
  callStore.setState({ call: searching });
  requests = new MatchRequests({ ports, socket: ports.socket, dispatch, searches });
});

afterEach(() => removeStored("searchChecksTold"));

/** The streams for which an offer was made. */
const prepared = () => ports.offers.prepare.mock.calls.map(([stream]) => stream);
const spares = () => ports.offers.makeSpare.mock.calls.length;
/** The inputs of the searches so far, without their trace ids. */
const sent = () => traced().map(({ traceparent, ...input }) => (traceparent ? input : null));
const traced = () => ports.request.mock.calls.map(([, input]) => input as InputOf<typeof matchStart>);

test("makes no offer while a search waits for its response, and makes one when no partner was found", async () => {
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  requests.prepareFor(ports.live.stream);
  expect(prepared()).toEqual([]);
  expect(searches).not.toHaveBeenCalled();
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(searches).toHaveBeenCalledOnce();
  answer();
  await asked;
  expect(prepared()).toEqual([ports.live.stream]);
  expect(sent()).toEqual([
    { user_id: 7, ...wish, refresh: 0, room_id: "" },
    { user_id: 7, ...wish, refresh: 1, offer: "offer", room_id: "" },
  ]);
});

test("makes no offer for an immediate match, and allows one for the next search", async () => {
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  callStore.setState({ call: { status: "idle", notice: null, attempt: 1 } });
  answer();
  await asked;
  expect(prepared()).toEqual([]);
  requests.prepareFor(ports.live.stream);
  expect(prepared()).toEqual([ports.live.stream]);
});

test("[SAFE-244] reports with each search that the user was told of the checks", async () => {
  noteSearchChecksTold();
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  answer();
  await asked;
  expect(sent()).toMatchObject([
    { refresh: 0, checks: 1 },
    { refresh: 1, checks: 1 },
  ]);
});

test("[SAFE-244] adds that to a running search once the user was told, after its earlier requests", async () => {
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  noteSearchChecksTold();
  const allowed = requests.allowChecks();
  await Promise.resolve();
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).not.toHaveProperty("checks");
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  answer();
  await asked;
  await vi.waitFor(() => expect(sent()).toHaveLength(3));
  answer();
  await allowed;
  expect(sent()[2]).toEqual({ user_id: 7, ...wish, offer: "offer", checks: 1, refresh: 1, room_id: "" });
});

test("[SAFE-244] adds nothing to a search that is over or was replaced", async () => {
  noteSearchChecksTold();
  callStore.setState({ call: { status: "idle", notice: null, attempt: 1 } });
  await requests.allowChecks();
  callStore.setState({ call: searching });
  const allowed = requests.allowChecks();
  callStore.setState({ call: { ...searching, attempt: 2 } });
  await allowed;
  expect(sent()).toEqual([]);
});

test("[MATCH-90] sends the newest room that this page knows with a start", async () => {
  requests.noteMatch({ roomId: "r1" } as MatchedPush);
  requests.noteMatch({ roomId: "r2" } as MatchedPush);
  void requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toMatchObject([{ room_id: "r2" }]));
});

test("sends a prepared search in the same turn, as it was signed ahead", async () => {
  const signed = { name: "start" } as SignedAhead;
  ports.signAhead.mockResolvedValue(signed);
  ports.socket.isLive = true;
  requests.noteMatch({ roomId: "r1" } as MatchedPush);
  await requests.signAhead(wish);
  void requests.ask({ wish, attempt: 1 });
  const input = { user_id: 7, ...wish, refresh: 0, room_id: "r1" };
  expect([sent(), spares()]).toEqual([[input], 1]);
  expect(ports.signAhead.mock.lastCall?.[1]).toEqual(traced()[0]);
  expect(ports.request.mock.lastCall?.[2]).toMatchObject({ ahead: signed });
  // A signed request is valid once.
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(ports.request.mock.lastCall?.[2]).toMatchObject({ ahead: null });
  expect(spares()).toBe(1);
});

test("gives each press its own trace, which its later requests and the mark of its match carry", async () => {
  ports.socket.isLive = true;
  const first = requests.ask({ wish, attempt: 1 });
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  answer();
  await first;
  void requests.ask({ wish, attempt: 1 });
  const [press, refresh, next] = traced().map(({ traceparent = "" }) => traceparent);
  expect(v.is(traceparentSchema, press)).toBe(true);
  expect(refresh).toBe(press);
  expect(next).not.toBe(press);
  requests.noteMatch({ roomId: "r1", traceparent: next, returned: null } as MatchedPush);
  const marksOf = (name: string) => performance.getEntriesByName(name) as PerformanceMark[];
  const detailsOf = (name: string): unknown[] => marksOf(name).map(({ detail }) => detail as unknown);
  expect([detailsOf("start"), detailsOf("match")]).toEqual([[next], [next]]);
});

test("does not let a search overtake an earlier stop or block", async () => {
  ports.socket.isLive = true;
  let stored: () => void = () => undefined;
  requests.holdUntil(new Promise<void>((resolve) => (stored = resolve)));
  void requests.ask({ wish, attempt: 1 });
  await Promise.resolve();
  expect(sent()).toEqual([]);
  stored();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  callStore.setState({ call: { ...searching, attempt: 2 } });
  answer();
  await vi.waitFor(async () => {
    void requests.ask({ wish, attempt: 2 });
    // The hold is over, so this search waits for nothing.
    expect(sent()).toHaveLength(2);
  });
});

test("retries the return to a call that no server owns, until one has it or it is over", async () => {
  vi.useFakeTimers();
  const match = { roomId: "r1", id: "r1" } as MatchedPush;
  callStore.setState({ call: { status: "in-call", match } as CallState });
  const answerWith = (code: number) => ports.request.mockRejectedValueOnce(new RequestFailure({ code, reason: "" }));
  answerWith(503);
  answerWith(503);
  ports.request.mockResolvedValueOnce({ is_enough: 1 });
  const back = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await back;
  expect([ports.request.mock.calls.length, dispatch.mock.calls]).toEqual([3, []]);
  answerWith(503);
  answerWith(403);
  const refused = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await refused;
  const told = { type: "return-refused", roomId: "r1", notice: "gone" };
  expect(dispatch.mock.calls).toEqual([[expect.objectContaining(told)]]);
  ports.request.mockRejectedValue(new RequestFailure({ code: 503, reason: "" }));
  const late = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await late;
  expect(dispatch.mock.lastCall).toEqual([expect.objectContaining({ ...told, notice: "closed" })]);
  // A press of Next ends the retries.
  const before = ports.request.mock.calls.length;
  const left = requests.comeBack(match);
  callStore.setState({ call: searching });
  await vi.runAllTimersAsync();
  await left;
  expect(ports.request.mock.calls.length).toBe(before);
  vi.useRealTimers();
});
