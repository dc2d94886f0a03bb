import type { InputOf } from "@fava/wire/endpoint.ts";
import type { matchStart } from "@fava/wire/endpoints/match.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { traceparentSchema } from "@fava/wire/traceparent.ts";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OfferCache } from "#features/call/room/offer-cache.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, signAhead, type SignedAhead } from "#lib/api/request.ts";
import { localMedia, openMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { removeStored } from "#lib/storage.ts";
import { MatchRequests } from "./call-controller.ts";
import type { CallEvent, CallState } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import type { ChatSocket } from "./chat-socket.ts";
import { noteSearchChecksTold } from "./search-media.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");

const stream = {} as MediaStream;
const media = { status: "live", stream, cameraOn: true, microphoneOn: true } as const;
const wish = { sex: 0, country: -1 } as const;
const searching = { status: "searching", wish, attempt: 1, sinceMs: 0, previous: null } as unknown as CallState;
const socket = { isLive: false, whenLive: () => Promise.resolve(true) };

/** Offers are made at once, and known once they are. */
class Offers {
  made: MediaStream[] = [];
  prepare = (own: MediaStream): Promise<void> => {
    this.made.push(own);
    return Promise.resolve();
  };
  /** How often one to answer with was made. */
  spares = 0;
  makeSpare = (): void => void (this.spares += 1);
  peek = (): { sdp: string } | null => (this.made.length > 0 ? { sdp: "offer" } : null);
}

let offers: Offers;
let requests: MatchRequests;
const dispatch = vi.fn<(event: CallEvent) => void>();
/** Lets the server answer the search that waits. */
let answer: () => void;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>);
  vi.mocked(openMedia).mockResolvedValue(media);
  vi.mocked(localMedia.getState).mockReturnValue({ media } as ReturnType<typeof localMedia.getState>);
  vi.mocked(request).mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ state: "searching", price: 0, since: 0 });
      }),
  );
  callStore.setState({ call: searching });
  offers = new Offers();
  requests = new MatchRequests({
    socket: socket as unknown as ChatSocket,
    offers: offers as unknown as OfferCache,
    dispatch,
  });
});

afterEach(() => {
  socket.isLive = false;
  removeStored("searchChecksTold");
});

/** What the searches so far carried, but for the names of their traces. */
const sent = () => traced().map(({ traceparent, ...input }) => (traceparent ? input : null));
const traced = () => vi.mocked(request).mock.calls.map(([, input]) => input as InputOf<typeof matchStart>);

test("[MATCH-13] while a search waits for its answer no offer is made; it follows when nobody was there", async () => {
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  requests.prepareFor(stream);
  expect(offers.made).toEqual([]);
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  answer();
  await asked;
  expect(offers.made).toEqual([stream]);
  expect(sent()).toEqual([
    { user_id: 7, ...wish, refresh: 0, room_id: "" },
    { user_id: 7, ...wish, refresh: 1, offer: "offer", room_id: "" },
  ]);
});

test("[MATCH-13] whoever is met at once makes no offer, and the next search may prepare one", async () => {
  const asked = requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  callStore.setState({ call: { status: "idle", notice: null, attempt: 1 } });
  answer();
  await asked;
  expect(offers.made).toEqual([]);
  requests.prepareFor(stream);
  expect(offers.made).toEqual([stream]);
});

test("[SAFE-244] a search says that its person was told of the checks, and each later one", async () => {
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

test("[SAFE-244] one that goes on says it once its person was told, and after what it has sent before", async () => {
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

test("[SAFE-244] a search that is over by then, or another one by then, says nothing more", async () => {
  noteSearchChecksTold();
  callStore.setState({ call: { status: "idle", notice: null, attempt: 1 } });
  await requests.allowChecks();
  callStore.setState({ call: searching });
  const allowed = requests.allowChecks();
  callStore.setState({ call: { ...searching, attempt: 2 } });
  await allowed;
  expect(sent()).toEqual([]);
});

test("[MATCH-90] a start names the newest match that this page has heard of", async () => {
  requests.heardOf({ roomId: "r1" } as MatchedPush);
  requests.heardOf({ roomId: "r2" } as MatchedPush);
  void requests.ask({ wish, attempt: 1 });
  await vi.waitFor(() => expect(sent()).toMatchObject([{ room_id: "r2" }]));
});

test("[MATCH-91] [CALL-108] a search for which all is ready leaves in the turn that asks for it, as it was signed before", async () => {
  const signed = { name: "start" } as SignedAhead;
  vi.mocked(signAhead).mockResolvedValue(signed);
  socket.isLive = true;
  requests.heardOf({ roomId: "r1" } as MatchedPush);
  await requests.signAhead(wish);
  void requests.ask({ wish, attempt: 1 });
  const input = { user_id: 7, ...wish, refresh: 0, room_id: "r1" };
  expect([sent(), offers.spares]).toEqual([[input], 1]);
  expect(vi.mocked(signAhead).mock.lastCall?.[1]).toEqual(traced()[0]);
  expect(vi.mocked(request).mock.lastCall?.[2]).toMatchObject({ ahead: signed });
  // What was signed is good for one request.
  answer();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(vi.mocked(request).mock.lastCall?.[2]).toMatchObject({ ahead: null });
  expect(offers.spares).toBe(1);
});

test("[MATCH-120] each press has a trace of its own, which what follows of it names, too, and the match is marked with it", async () => {
  socket.isLive = true;
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
  requests.heardOf({ roomId: "r1", traceparent: next, returned: null } as MatchedPush);
  const marksOf = (name: string) => performance.getEntriesByName(name) as PerformanceMark[];
  const detailsOf = (name: string): unknown[] => marksOf(name).map(({ detail }) => detail as unknown);
  expect([detailsOf("start"), detailsOf("match")]).toEqual([[next], [next]]);
});

test("[MATCH-91] a search does not overtake the stop or the block before it", async () => {
  socket.isLive = true;
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
    // The hold is over: this one waits for nothing.
    expect(sent()).toHaveLength(2);
  });
});

test("[CALL-132] a call that no server has at the moment is asked for again, until one has it or knows that it is over", async () => {
  vi.useFakeTimers();
  const match = { roomId: "r1", id: "r1" } as MatchedPush;
  callStore.setState({ call: { status: "in-call", match } as CallState });
  const answerWith = (code: number) =>
    vi.mocked(request).mockRejectedValueOnce(new RequestFailure({ code, reason: "" }));
  answerWith(503);
  answerWith(503);
  vi.mocked(request).mockResolvedValueOnce({ is_enough: 1 });
  const back = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await back;
  expect([vi.mocked(request).mock.calls.length, dispatch.mock.calls]).toEqual([3, []]);
  answerWith(503);
  answerWith(403);
  const refused = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await refused;
  const told = { type: "return-refused", roomId: "r1", notice: "gone" };
  expect(dispatch.mock.calls).toEqual([[expect.objectContaining(told)]]);
  vi.mocked(request).mockRejectedValue(new RequestFailure({ code: 503, reason: "" }));
  const late = requests.comeBack(match);
  await vi.runAllTimersAsync();
  await late;
  expect(dispatch.mock.lastCall).toEqual([expect.objectContaining({ ...told, notice: "closed" })]);
  // Whoever presses Next meanwhile does not ask any more.
  const before = vi.mocked(request).mock.calls.length;
  const left = requests.comeBack(match);
  callStore.setState({ call: searching });
  await vi.runAllTimersAsync();
  await left;
  expect(vi.mocked(request).mock.calls.length).toBe(before);
  vi.useRealTimers();
});
