import { codes } from "@fava/wire/codes.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createStart } from "#app/start-flow.ts";
import { StartSteps } from "#app/start-steps.ts";
import type { CallRuntime } from "#features/call/machine/call-runtime.ts";
import type { ensureMedia } from "#features/device/ensure-media.ts";
import { saveMatchFilters } from "#features/match/match-filters.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { closeAllOverlays, closeOverlay, isOverlayOpen, type OverlayName, type OverlayResult } from "#lib/overlays.ts";
import { completeLogin, endSession, replaceUser, startSession } from "#lib/session.ts";
import { clearForSignOut, removeStored, writeStored } from "#lib/storage.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { settings } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { ownUser } from "#testing/own-user.ts";
import { loginOf, serve, type ServedWorld, signIn, stopServing, storeSession } from "#testing/serve.ts";
import { dismissPassingToasts, shownToasts } from "#ui/toast-store.ts";

const call = { expectStart: vi.fn<CallRuntime["expectStart"]>(), startCall: vi.fn<CallRuntime["startCall"]>() };
const device = { ensureMedia: vi.fn<typeof ensureMedia>(), tipWhenMissing: vi.fn<() => Promise<void>>() };
const loadDevice = vi.fn<() => Promise<typeof device>>();
const dialogs: readonly OverlayName[] = ["login", "complete-profile", "rules", "age-restriction", "device-tips"];
const fresh = { sex: 0, birthday: "", profile_complete: false } as const;

/** The steps in the order of the user. */
let steps: string[];
/** The user's answer to each dialog; without one the user completes the dialog. */
let answers: Partial<Record<OverlayName, () => OverlayResult | null | Promise<OverlayResult>>>;
let start: ReturnType<typeof createStart>;
let startSteps: StartSteps;
let server: ServedWorld;
let owner: AbortController;

beforeAll(() => activateLanguage("en", { remember: false }));
beforeEach(() => {
  [steps, answers] = [[], {}];
  owner = new AbortController();
  server = serve({ getLanguage: settings });
  vi.stubGlobal("window", new EventTarget());
  device.ensureMedia.mockImplementation(async () => steps.push("media") > 0);
  device.tipWhenMissing.mockImplementation(async () => void steps.push("tip"));
  call.startCall.mockImplementation(async () => void steps.push("call"));
  loadDevice.mockResolvedValue(device);
  startSteps = new StartSteps({ device: loadDevice, call: async () => ({ callRuntime: call }) });
  start = createStart(async () => ({ startSteps }));
  void answerDialogs(owner.signal);
});

afterEach(() => {
  owner.abort();
  removeStored("neverShowRule");
  stopServing();
  clearForSignOut();
  closeAllOverlays();
  dismissPassingToasts();
  vi.resetAllMocks();
});

/** Answers each dialog as soon as it is open. */
async function answerDialogs(signal: AbortSignal): Promise<void> {
  const met = new Set<OverlayName>();
  while (!signal.aborted) {
    for (const name of dialogs) {
      if (met.has(name) || !isOverlayOpen(name)) continue;
      met.add(name);
      steps.push(name);
      void answer(name).finally(() => met.delete(name));
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}

async function answer(name: OverlayName): Promise<void> {
  closeOverlay(name, (await answers[name]?.()) ?? "done");
}

const signedIn = (change: Partial<OwnUser> = {}) => signIn(server, ownUser(change));

/** Makes the visitor a new user, who signs in and gives birthday and gender when a dialog asks. */
function newPerson(): void {
  server.answer({ myInfo: ownUser(fresh) });
  answers = {
    login: async (): Promise<OverlayResult> => {
      await completeLogin(loginOf(ownUser(fresh)));
      return "done";
    },
    "complete-profile": () => {
      replaceUser(ownUser());
      return "done";
    },
  };
}

describe("a press on Start", () => {
  test("leads a visitor through sign-in, birthday and gender, devices and rules to the search, in this order", async () => {
    newPerson();
    await start.startFlow();
    expect(steps).toEqual(["login", "complete-profile", "tip", "media", "rules", "call"]);
  });

  test("asks a known user for nothing that is known", async () => {
    await signedIn();
    writeStored("neverShowRule", 1);
    saveMatchFilters({ sex: 2, country: 18 });
    await start.startFlow();
    expect(steps).toEqual(["media", "call"]);
    expect(call.startCall).toHaveBeenCalledWith({ sex: 2, country: 18 });
  });

  test("asks for the one missing thing", async () => {
    newPerson();
    await signedIn({ ...fresh, birthday: "2000-01-01" });
    expect(await startSteps.completeProfile()).toBe(true);
    expect(steps).toEqual(["complete-profile", "tip"]);
  });

  test.each(["login", "complete-profile", "rules"] as const)("ends when the user closes %s", async (closed) => {
    newPerson();
    answers[closed] = () => "closed";
    await start.startFlow();
    expect(steps.at(-1)).toBe(closed);
    expect(call.startCall).not.toHaveBeenCalled();
  });

  test("ends when camera and microphone cannot be opened", async () => {
    await signedIn();
    device.ensureMedia.mockResolvedValue(false);
    await start.startFlow();
    expect(steps).toEqual([]);
  });

  test("does nothing while another runs, and works again afterwards", async () => {
    const login = heldAnswer<OverlayResult>();
    answers.login = () => login.answer;
    const first = start.startFlow();
    await start.startFlow();
    await vi.waitFor(() => expect(steps).toEqual(["login"]));
    login.give("closed");
    await first;
    newPerson();
    await start.startFlow();
    expect(steps.at(-1)).toBe("call");
  });

  test("works again after a step has failed", async () => {
    await signedIn();
    device.ensureMedia.mockRejectedValueOnce(new Error("a bug"));
    await expect(start.startFlow()).rejects.toThrow("a bug");
    await start.startFlow();
    expect(steps.at(-1)).toBe("call");
  });

  test("waits for a session that is being restored, without asking to sign in", async () => {
    const user = heldAnswer<OwnUser>();
    server.answer({ myInfo: () => user.answer });
    await storeSession();
    startSession(owner.signal);
    const flow = start.startFlow();
    await vi.waitFor(() => expect(server.asked("myInfo")).toHaveLength(1));
    expect(steps).toEqual([]);
    user.give(ownUser());
    await flow;
    expect(steps).toEqual(["media", "rules", "call"]);
  });

  test("ends when the session that was being restored is over", async () => {
    const user = heldAnswer<Refusal>();
    server.answer({ myInfo: () => user.answer });
    await storeSession();
    startSession(owner.signal);
    await start.readyStart();
    const flow = start.startFlow();
    await vi.waitFor(() => expect(server.asked("myInfo")).toHaveLength(1));
    user.give(new Refusal(codes.noSession, { reason: "expired" }));
    await flow;
    expect(steps).toEqual([]);
  });

  test("does not search when the session ends during the steps", async () => {
    await signedIn();
    device.ensureMedia.mockImplementation(async () => {
      endSession("kicked");
      return true;
    });
    await start.startFlow();
    expect(call.startCall).not.toHaveBeenCalled();
  });
});

describe("Start for one specific user", () => {
  const dov = { userId: 8, nickname: "dov" };
  const eve = { userId: 9, nickname: "eve" };
  let close: (result: OverlayResult) => void;

  beforeEach(async () => {
    await signedIn();
    answers.rules = () => {
      delete answers.rules;
      return new Promise((resolve) => (close = resolve));
    };
  });

  test("replaces a press that waits for a dialog, which is closed for it", async () => {
    const first = start.startFlow();
    await vi.waitUntil(() => steps.includes("rules"));
    close("closed");
    await Promise.all([first, start.startFlow(dov)]);
    expect(steps).toEqual(["media", "rules", "media", "rules", "call"]);
    expect(call.startCall).toHaveBeenCalledWith(expect.objectContaining({ meet: dov }));
  });

  test("replaces a press that waits for the camera, which asks for nothing more", async () => {
    const media = heldAnswer<boolean>();
    device.ensureMedia.mockReturnValueOnce(media.answer);
    delete answers.rules;
    const flows = [start.startFlow(), start.startFlow(dov)];
    media.give(true);
    await Promise.all(flows);
    expect(steps).toEqual(["media", "rules", "call"]);
    expect(call.startCall).toHaveBeenCalledWith(expect.objectContaining({ meet: dov }));
  });

  test("replaces an earlier one that waits, also after a step has failed", async () => {
    let fail: (error: Error) => void = () => undefined;
    device.ensureMedia.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
    delete answers.rules;
    const flows = [start.startFlow(), start.startFlow(eve), start.startFlow(dov)];
    fail(new Error("a bug"));
    expect((await Promise.allSettled(flows)).map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(call.startCall.mock.calls).toEqual([[expect.objectContaining({ meet: dov })]]);
  });
});

test("reports a browser without WebRTC before anything is asked", async () => {
  vi.stubGlobal("RTCPeerConnection", undefined);
  await start.startFlow();
  await start.startFlow({ userId: 8, nickname: "dov" });
  expect(steps).toEqual(["device-tips", "device-tips"]);
});

test("tells an underage user when to try again, and asks for nothing", async () => {
  await signedIn({ ...fresh, age_try_again: "2027-03-01" });
  await start.startFlow();
  expect(steps).toEqual(["age-restriction"]);
  expect(call.startCall).not.toHaveBeenCalled();
});

test("starts no search with an incomplete profile", async () => {
  await signedIn(fresh);
  await start.startFlow();
  expect(steps).not.toContain("media");
});

test("opens the camera in the turn of the press when its parts are loaded, and prepares the search behind it", async () => {
  await signedIn();
  await start.readyStart();
  const flow = start.startFlow();
  // Runs the microtasks of this turn; a module load would take longer.
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  expect(steps[0]).toBe("media");
  expect(loadDevice).toHaveBeenCalledOnce();
  const [asked] = device.ensureMedia.mock.invocationCallOrder;
  const [prepared] = call.expectStart.mock.invocationCallOrder;
  expect(asked).toBeLessThan(prepared!);
  await flow;
});

test("reports a part that cannot be loaded, and tries again on the next press", async () => {
  await signedIn();
  // Each press tries twice to load a part: let both attempts fail.
  const gone = new Error("gone");
  loadDevice.mockRejectedValueOnce(gone).mockRejectedValueOnce(gone);
  await start.startFlow();
  expect(shownToasts()).toMatchObject([{ type: "error", text: t("error.chunk.text") }]);
  expect(call.startCall).not.toHaveBeenCalled();
  await start.startFlow();
  expect(call.startCall).toHaveBeenCalledTimes(1);
});
