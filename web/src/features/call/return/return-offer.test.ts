import { codes } from "@fava/wire/codes.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { activateLanguage } from "#lib/i18n.ts";
import { closeOverlay, isOverlayOpen } from "#lib/overlays.ts";
import { readStored, writeStored } from "#lib/storage.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { matchedPush } from "#testing/matched-push.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";
import { removeStoredCall, storeCall, storedCall } from "./stored-call.ts";
import { offerReturn, withdrawOfferOfRoom } from "./return-offer.ts";

const match = matchedPush("r1");
const prices = { gender: 0, country: 0, both: 0 };
const isOffered = () => isOverlayOpen("return-call");
const asked = () => server.asked("matchInfo").length;
let server: ServedWorld;

function serverSays(return_ms: number | null, inCall = true): void {
  const info = inCall ? ({ status: 3, match } as const) : ({ status: 0, match: null } as const);
  server.answer({ matchInfo: { ...info, return_ms, prices } });
}

beforeAll(() => activateLanguage("en", { remember: false }));
beforeEach(async () => {
  server = serve();
  await signIn(server);
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  writeStored("roomId", "r1");
  storeCall(match);
});

afterEach(() => {
  removeStoredCall();
  dismissPassingToasts();
  stopServing();
  vi.useRealTimers();
});

describe("a call that waits for its page", () => {
  test("is offered, and continued on a press", async () => {
    serverSays(9_000);
    const answer = offerReturn();
    await vi.waitFor(() => expect(isOffered()).toBe(true));
    expect(server.asked("matchInfo")).toMatchObject([{ user_id: 7 }]);
    closeOverlay("return-call", "done");
    expect(await answer).toEqual({ match, returns: true });
    expect(storedCall()).not.toBeNull();
  });

  test("is left by any other answer, and not offered again", async () => {
    serverSays(9_000);
    const answer = offerReturn();
    await vi.waitFor(() => expect(isOffered()).toBe(true));
    closeOverlay("return-call");
    expect(await answer).toEqual({ match, returns: false });
    expect([storedCall(), readStored("roomId")]).toEqual([null, null]);
  });

  test("is not offered when the browser has lost WebRTC", async () => {
    vi.stubGlobal("RTCPeerConnection", undefined);
    serverSays(9_000);
    expect(await offerReturn()).toBeNull();
    expect(isOffered()).toBe(false);
  });

  test("is offered to a new tab as well, which only knows that a call existed", async () => {
    vi.stubGlobal("sessionStorage", undefined);
    serverSays(9_000);
    const answer = offerReturn();
    await vi.waitFor(() => expect(isOffered()).toBe(true));
    closeOverlay("return-call", "done");
    expect(await answer).toEqual({ match, returns: true });
  });

  test("is requested again while no server owns it after a crash, and offered then", async () => {
    server.answer({ matchInfo: new Refusal(codes.unavailable) });
    const answer = offerReturn();
    await vi.advanceTimersByTimeAsync(100);
    expect([isOffered(), storedCall() === null]).toEqual([false, false]);
    serverSays(9_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOffered()).toBe(true);
    closeOverlay("return-call", "done");
    expect(await answer).toEqual({ match, returns: true });
  });

  test("is given up silently when no server owns it for 12 s, and kept for the next page", async () => {
    server.answer({ matchInfo: new Refusal(codes.unavailable) });
    const answer = offerReturn();
    await vi.advanceTimersByTimeAsync(11_400);
    const before = asked();
    expect(before).toBeGreaterThan(20);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBeNull();
    expect(asked()).toBeLessThan(before + 4);
    expect([shownToasts(), storedCall() === null]).toEqual([[], false]);
  });

  test("withdraws its offer silently when the server waits no longer", async () => {
    serverSays(9_000);
    const answer = offerReturn();
    await vi.waitFor(() => expect(isOffered()).toBe(true));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(isOffered()).toBe(false);
    expect(await answer).toBeNull();
    expect(shownToasts()).toEqual([]);
  });
});

describe("a user who returns too late", () => {
  test("reads that the partner is gone, while the offer is open", async () => {
    serverSays(9_000);
    const answer = offerReturn();
    await vi.waitFor(() => expect(isOffered()).toBe(true));
    withdrawOfferOfRoom("another");
    expect(isOffered()).toBe(true);
    withdrawOfferOfRoom("r1");
    expect(isOffered()).toBe(false);
    expect(await answer).toBeNull();
    expect(shownToasts()).toHaveLength(1);
  });

  test("reads it once when the call is over by then, and only in the tab that was just in it", async () => {
    serverSays(null, false);
    expect(await offerReturn()).toBeNull();
    expect(shownToasts()).toHaveLength(1);
    expect(await offerReturn()).toBeNull();
    writeStored("roomId", "r1");
    expect(await offerReturn()).toBeNull();
    storeCall(match);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await offerReturn()).toBeNull();
    expect(shownToasts()).toHaveLength(1);
  });
});

test("offers no call of another tab, and sends no request when no call was left open", async () => {
  serverSays(null);
  expect(await offerReturn()).toBeNull();
  expect([isOffered(), readStored("roomId")]).toEqual([false, "r1"]);
  removeStoredCall();
  expect(await offerReturn()).toBeNull();
  expect(asked()).toBe(1);
});
