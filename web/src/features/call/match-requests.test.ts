import { beforeEach, expect, test, vi } from "vitest";
import { request } from "#lib/api/request.ts";
import { openMedia } from "#lib/media/local-media.ts";
import { currentUser } from "#lib/session.ts";
import { MatchRequests } from "./call-controller.ts";
import type { CallEvent, CallState } from "./call-state.ts";
import { callStore } from "./call-store.ts";
import type { ChatSocket } from "./chat-socket.ts";
import type { OfferCache } from "./offer-cache.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");
vi.mock("#lib/media/local-media.ts");

const stream = {} as MediaStream;
const wish = { sex: 0, country: -1 } as const;
const searching = { status: "searching", wish, attempt: 1, sinceMs: 0, previous: null } as unknown as CallState;
const socket = { whenLive: () => Promise.resolve(true) } as unknown as ChatSocket;

/** Offers are made at once, and known once they are. */
class Offers {
  made: MediaStream[] = [];
  prepare = (own: MediaStream): Promise<void> => {
    this.made.push(own);
    return Promise.resolve();
  };
  peek = (): { sdp: string } | null => (this.made.length > 0 ? { sdp: "offer" } : null);
}

let offers: Offers;
let requests: MatchRequests;
/** Lets the server answer the search that waits. */
let answer: () => void;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>);
  vi.mocked(openMedia).mockResolvedValue({ status: "live", stream, cameraOn: true, microphoneOn: true });
  vi.mocked(request).mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ state: "searching", price: 0, since: 0 });
      }),
  );
  callStore.setState({ call: searching });
  offers = new Offers();
  requests = new MatchRequests({
    socket,
    offers: offers as unknown as OfferCache,
    dispatch: vi.fn<(event: CallEvent) => void>(),
  });
});

/** What the searches so far carried. */
const sent = () => vi.mocked(request).mock.calls.map(([, input]) => input);

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
    { user_id: 7, ...wish, refresh: 0 },
    { user_id: 7, ...wish, refresh: 1, offer: "offer" },
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
