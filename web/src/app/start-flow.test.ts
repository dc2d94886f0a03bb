import type { OwnUser } from "@fava/wire/people.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readyStart, startFlow } from "#app/start-flow.ts";
import { completeProfile } from "#app/start-steps.ts";
import { expectStart, startCall } from "#features/call/machine/call.ts";
import { ensureMedia, tipWhenMissing } from "#features/device/ensure-media.ts";
import { saveMatchFilters } from "#features/match/match-filters.ts";
import { openOverlay, type OverlayName, type OverlayResult } from "#lib/overlays.ts";
import { session, type Session } from "#lib/session.ts";
import { removeStored, writeStored } from "#lib/storage.ts";
import { ownUser } from "#testing/own-user.ts";
import { ChunkLoadError, loadWithTimeout } from "#ui/lazy-with-timeout.ts";
import { showToast } from "#ui/toast-store.ts";

vi.mock("#lib/overlays.ts");
vi.mock("#features/call/machine/call.ts", () => ({
  expectStart: vi.fn<typeof expectStart>(),
  startCall: vi.fn<typeof startCall>(),
}));
vi.mock("#features/device/ensure-media.ts", () => ({
  ensureMedia: vi.fn<typeof ensureMedia>(),
  tipWhenMissing: vi.fn<typeof tipWhenMissing>(),
}));
vi.mock("#lib/i18n.ts", () => ({ t: (key: string) => key, laterTexts: () => Promise.resolve() }));
vi.mock("#features/beans/prices.ts", () => ({ changedPrice: () => Promise.resolve(null) }));
vi.mock("#ui/toast-store.ts");
vi.mock("#ui/lazy-with-timeout.ts", { spy: true });
vi.mock("#lib/session.ts", async () => {
  const { createStore } = await import("zustand/vanilla");
  const store = createStore<Session>(() => ({ status: "anonymous", because: null }));
  const currentUser = () => {
    const now = store.getState();
    return now.status === "signed-in" ? now.user : null;
  };
  return { session: store, currentUser };
});

/** Steps in the order in which the person met them. */
let steps: string[];
/** What a dialog does when it opens; without an entry it is finished. */
let dialogs: Partial<Record<OverlayName, () => OverlayResult | Promise<OverlayResult>>>;

const store = session as unknown as { setState(state: Session): void };
const fresh = { sex: 0, birthday: "", profile_complete: false } as const;

function signedIn(change: Partial<OwnUser> = {}): void {
  store.setState({ status: "signed-in", token: "t", user: ownUser(change) });
}

beforeEach(() => {
  steps = [];
  dialogs = {};
  store.setState({ status: "anonymous", because: null });
  vi.mocked(openOverlay).mockImplementation(async (name) => {
    steps.push(name);
    return (await dialogs[name]?.()) ?? "done";
  });
  vi.mocked(ensureMedia).mockImplementation(async () => steps.push("media") > 0);
  vi.mocked(tipWhenMissing).mockImplementation(async () => void steps.push("tip"));
  vi.mocked(startCall).mockImplementation(async () => void steps.push("call"));
});

afterEach(() => {
  removeStored("neverShowRule");
  vi.resetAllMocks();
});

/** A new person does what every dialog asks for. */
function newPerson(): void {
  dialogs = {
    login: () => {
      signedIn(fresh);
      return "done";
    },
    "complete-profile": () => {
      signedIn();
      return "done";
    },
  };
}

describe("[HOME-10] a press on Start", () => {
  test("leads a visitor through sign-in, birthday and gender, devices and rules to the search, in this order", async () => {
    newPerson();
    await startFlow();
    expect(steps).toEqual(["login", "complete-profile", "tip", "media", "rules", "call"]);
  });

  test("asks a known person for nothing that is known", async () => {
    signedIn();
    writeStored("neverShowRule", 1);
    saveMatchFilters({ sex: 2, country: 18 });
    await startFlow();
    expect(steps).toEqual(["media", "call"]);
    expect(startCall).toHaveBeenCalledWith({ sex: 2, country: 18 });
  });

  test("asks for the one thing that is missing", async () => {
    newPerson();
    signedIn({ ...fresh, birthday: "2000-01-01" });
    expect(await completeProfile()).toBe(true);
    expect(steps).toEqual(["complete-profile", "tip"]);
  });

  test.each(["login", "complete-profile", "rules"] as const)("ends where the person closes %s", async (closed) => {
    newPerson();
    dialogs[closed] = () => "closed";
    await startFlow();
    expect(steps.at(-1)).toBe(closed);
    expect(startCall).not.toHaveBeenCalled();
  });

  test("ends where camera and microphone are not to be had", async () => {
    signedIn();
    vi.mocked(ensureMedia).mockResolvedValue(false);
    await startFlow();
    expect(steps).toEqual([]);
  });

  test("does nothing while another runs, and works again afterwards", async () => {
    let close: (result: OverlayResult) => void = () => undefined;
    dialogs.login = () => new Promise((resolve) => (close = resolve));
    const first = startFlow();
    await startFlow();
    expect(steps).toEqual(["login"]);
    close("closed");
    await first;
    newPerson();
    await startFlow();
    expect(steps.at(-1)).toBe("call");
  });

  test("works again after a step has failed", async () => {
    signedIn();
    vi.mocked(ensureMedia).mockRejectedValueOnce(new Error("a bug"));
    await expect(startFlow()).rejects.toThrow("a bug");
    await startFlow();
    expect(steps.at(-1)).toBe("call");
  });

  test("waits for a session that is being restored, without asking to sign in", async () => {
    const person = { userId: 7, nickname: "ana", avatar: "" };
    store.setState({ status: "restoring", token: "t", person });
    const flow = startFlow();
    await Promise.resolve();
    expect(steps).toEqual([]);
    signedIn();
    await flow;
    expect(steps).toEqual(["media", "rules", "call"]);
  });

  test("ends when the session that was being restored is over", async () => {
    const person = { userId: 7, nickname: "ana", avatar: "" };
    store.setState({ status: "restoring", token: "t", person });
    await readyStart();
    const flow = startFlow();
    // The steps wait for the session by now.
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    store.setState({ status: "anonymous", because: "expired" });
    await flow;
    expect(steps).toEqual([]);
  });

  test("does not search for somebody whose session has ended on the way", async () => {
    signedIn();
    vi.mocked(ensureMedia).mockImplementation(async () => {
      store.setState({ status: "kicked" });
      return true;
    });
    await startFlow();
    expect(startCall).not.toHaveBeenCalled();
  });
});

describe("[HOME-16] Start for one person", () => {
  const dov = { userId: 8, nickname: "dov" };
  const eve = { userId: 9, nickname: "eve" };
  let close: (result: OverlayResult) => void;

  beforeEach(() => {
    signedIn();
    dialogs.rules = () => {
      delete dialogs.rules;
      return new Promise((resolve) => (close = resolve));
    };
  });

  test("comes after what stood at a dialog, which was closed for it", async () => {
    const first = startFlow();
    await vi.waitUntil(() => steps.includes("rules"));
    close("closed");
    await Promise.all([first, startFlow(dov)]);
    expect(steps).toEqual(["media", "rules", "media", "rules", "call"]);
    expect(startCall).toHaveBeenCalledWith(expect.objectContaining({ meet: dov }));
  });

  test("takes the place of what waits for the camera, which asks for nothing more", async () => {
    let open: (isOpen: boolean) => void = () => undefined;
    vi.mocked(ensureMedia).mockReturnValueOnce(new Promise((resolve) => (open = resolve)));
    delete dialogs.rules;
    const flows = [startFlow(), startFlow(dov)];
    open(true);
    await Promise.all(flows);
    expect(steps).toEqual(["media", "rules", "call"]);
    expect(startCall).toHaveBeenCalledWith(expect.objectContaining({ meet: dov }));
  });

  test("takes the place of an earlier one that waits, also after a step that has failed", async () => {
    let fail: (error: Error) => void = () => undefined;
    vi.mocked(ensureMedia).mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
    delete dialogs.rules;
    const flows = [startFlow(), startFlow(eve), startFlow(dov)];
    fail(new Error("a bug"));
    expect((await Promise.allSettled(flows)).map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(vi.mocked(startCall).mock.calls).toEqual([[expect.objectContaining({ meet: dov })]]);
  });
});

test("[MEDIA-620] a browser without WebRTC is told so before anything is asked", async () => {
  vi.stubGlobal("RTCPeerConnection", undefined);
  await startFlow();
  signedIn();
  await startFlow({ userId: 8, nickname: "dov" });
  vi.unstubAllGlobals();
  expect(steps).toEqual(["device-tips", "device-tips"]);
});

test("[AGE-9] somebody under age is told when to try again, and asked for nothing", async () => {
  signedIn({ ...fresh, age_try_again: "2027-03-01" });
  await startFlow();
  expect(steps).toEqual(["age-restriction"]);
  expect(startCall).not.toHaveBeenCalled();
});

test("[HOME-10] a profile that stays incomplete starts no search", async () => {
  signedIn(fresh);
  await startFlow();
  expect(steps).not.toContain("media");
});

test("[CALL-103] [MATCH-91] with its parts ready, a press asks for the camera in its own turn, and prepares the search behind it", async () => {
  signedIn();
  await readyStart();
  vi.mocked(loadWithTimeout).mockClear();
  const flow = startFlow();
  // Of the turn; whatever is loaded, even once more, comes after it.
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  expect(steps[0]).toBe("media");
  expect(loadWithTimeout).not.toHaveBeenCalled();
  const [asked] = vi.mocked(ensureMedia).mock.invocationCallOrder;
  const [prepared] = vi.mocked(expectStart).mock.invocationCallOrder;
  expect(asked).toBeLessThan(prepared!);
  await flow;
});

test("[ERR-13] a part that cannot be loaded is told, and the next press tries again", async () => {
  signedIn();
  // Of a page that has loaded neither part yet.
  const path = "#app/start-flow.ts?fresh";
  const fresh = (await import(path)) as { startFlow: typeof startFlow };
  vi.mocked(loadWithTimeout).mockRejectedValueOnce(new ChunkLoadError("gone"));
  await fresh.startFlow();
  expect(showToast).toHaveBeenCalledWith(expect.objectContaining({ type: "error", text: "error.chunk.text" }));
  expect(startCall).not.toHaveBeenCalled();
  await fresh.startFlow();
  expect(startCall).toHaveBeenCalledTimes(1);
});
