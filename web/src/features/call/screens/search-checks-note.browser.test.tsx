import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { noteReadMs } from "#features/call/machine/search-media.ts";
import { t } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { readStored, removeStored } from "#lib/storage.ts";
import { callRuntime, expectCallState, expectHome, openSearch } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { dialogsGone, phone } from "#testing/open-page.tsx";
import { watchAnnouncements } from "#testing/announcements.ts";

/** A user who chose never to see the rules again, and was not told of the checks. */
const untold = { stored: { neverShowRule: "1", searchChecksTold: "0" } } as const;
const note = () => page.getByRole("region", { name: t("search.checks") });
const gotIt = () => note().getByRole("button", { name: t("rules.ok") });
const starts = (server: FixtureWorld) => server.asked("matchStart").map(({ refresh, checks }) => ({ refresh, checks }));
const isTold = () => readStored("searchChecksTold") === 1;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function hide(hidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

/**
 * Resolves when the page has noticed that the note is in view and has drawn the result: it schedules that by messages.
 */
async function noticed(): Promise<void> {
  await new Promise<void>((resolve) => {
    const observer = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting !== true) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(note().element());
  });
  for (let left = 20; left > 0; left -= 1) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.addEventListener("message", resolve);
      port1.start();
      port2.postMessage(null);
    });
    port1.close();
  }
}

/** A search with an unread note, whose clock stands still. */
async function openUnseen(): Promise<FixtureWorld> {
  hide(true);
  const server = await openSearch(untold);
  await expect.element(note()).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  hide(false);
  await noticed();
  return server;
}

test("[SAFE-244] says once on the search screen why frames are inspected, also to users who hid the rules", async () => {
  const server = await openSearch(untold);
  await expect.element(note()).toBeVisible();
  await expect.element(note()).toHaveTextContent(t("search.checksText"));
  await expect.element(note().getByRole("link")).toHaveAttribute("href", "/privacyPolicy#checks");
  expect(starts(server)[0]).toEqual({ refresh: 0, checks: undefined });
  await gotIt().click();
  await expect.element(note()).not.toBeInTheDocument();
  // The running search reports it.
  await expect.poll(() => starts(server).at(-1)).toEqual({ refresh: 1, checks: 1 });
  const before = starts(server).length;
  callRuntime.stopCall();
  await expectHome();
  await page.getByRole("button", { name: t("home.start") }).click();
  // On a busy machine the earlier search may be refreshed once more meanwhile.
  const begun = () =>
    starts(server)
      .slice(before)
      .find(({ refresh }) => refresh === 0);
  await expect.poll(begun).toEqual({ refresh: 0, checks: 1 });
  await expect.element(note()).not.toBeInTheDocument();
});

test("does not show the note again to a user who was told, until sign-out", async () => {
  await openSearch();
  await expect.element(note()).not.toBeInTheDocument();
  callRuntime.stopCall();
  await expectHome();
  removeStored("searchChecksTold");
  await page.getByRole("button", { name: t("home.start") }).click();
  await expect.element(note()).toBeVisible();
});

test("announces it once over any number of searches, and keeps the focus after its press", async () => {
  const said = watchAnnouncements();
  await openSearch(untold);
  const words = `polite: ${t("search.checks")}. ${t("search.checksText")}`;
  const told = () => said.filter((line) => line === words).length;
  await expect.poll(told).toBe(1);
  // It takes no focus: keyboard users reach it in its place.
  expect(note().element().contains(document.activeElement)).toBe(false);
  const { call } = callStore.getState();
  callStore.setState({ call: { status: "idle", notice: null, attempt: call.attempt } });
  await expect.element(note()).not.toBeInTheDocument();
  callStore.setState({ call });
  await expect.element(note()).toBeVisible();
  expect(told()).toBe(1);
  (gotIt().element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(note()).not.toBeInTheDocument();
  expect(document.activeElement?.closest("#call")).not.toBeNull();
  await expectCallState("searching");
});

test("stands between the search text and the buttons on a phone, covering neither", async () => {
  await openSearch({ ...untold, window: phone });
  await expect.element(note()).toBeVisible();
  const box = (element: Element) => element.getBoundingClientRect();
  const filters = page.getByRole("button", { name: t("search.change") }).element();
  const stop = page.getByRole("button", { name: t("search.stop") }).element();
  expect(box(filters).bottom).toBeLessThanOrEqual(box(note().element()).top);
  expect(box(note().element()).bottom).toBeLessThanOrEqual(box(stop).top);
});

test("counts as read after its time in view over several searches, and stays until the press", async () => {
  const server = await openUnseen();
  await vi.advanceTimersByTimeAsync(noteReadMs - 1_000);
  const { call } = callStore.getState();
  callStore.setState({ call: { status: "idle", notice: null, attempt: call.attempt } });
  await expect.element(note()).not.toBeInTheDocument();
  callStore.setState({ call });
  await expect.element(note()).toBeVisible();
  await noticed();
  await vi.advanceTimersByTimeAsync(999);
  expect(isTold()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isTold()).toBe(true);
  await expect.element(note()).toBeVisible();
  vi.useRealTimers();
  await expect.poll(() => starts(server).at(-1)).toEqual({ refresh: 1, checks: 1 });
});

test("does not count as read on a hidden page or under a dialog", async () => {
  await openUnseen();
  hide(true);
  await noticed();
  await vi.advanceTimersByTimeAsync(2 * noteReadMs);
  expect(isTold()).toBe(false);
  void openOverlay("preferences");
  hide(false);
  await noticed();
  await vi.advanceTimersByTimeAsync(2 * noteReadMs);
  expect(isTold()).toBe(false);
  vi.useRealTimers();
  closeOverlay("preferences");
  await dialogsGone();
  await expect.poll(isTold, { timeout: 3 * noteReadMs }).toBe(true);
});

test("makes room for the offer of a wider search, and returns with the next search", async () => {
  await openSearch(untold);
  await expect.element(note()).toBeVisible();
  const { call } = callStore.getState();
  if (call.status === "searching") callStore.setState({ call: { ...call, widen: true } });
  await expect.element(page.getByRole("main").last().getByText(t("search.few"))).toBeVisible();
  await expect.element(note()).not.toBeInTheDocument();
  expect(isTold()).toBe(false);
  callRuntime.stopCall();
  await expectHome();
  await page.getByRole("button", { name: t("home.start") }).click();
  await expect.element(note()).toBeVisible();
});

test("[SAFE-244] [SAFE-245] sends frames of a search only for users who were told, and without a room", async () => {
  const server = await openSearch({ ...untold, answers: { videoInspect: {} } });
  const ask = (ticket: string) => server.socket.say({ type: "inspect", roomId: "", ticket, view: "own", dueInMs: 0 });
  await expect.element(note()).toBeVisible();
  ask("too early");
  await gotIt().click();
  ask("in time");
  await expect.poll(() => server.asked("videoInspect").map(({ ticket }) => ticket)).toEqual(["in time"]);
  expect(server.asked("videoInspect")[0]).toMatchObject({ room_id: "" });
});

test("reports to the server when the camera is switched off and on during a search", async () => {
  const server = await openSearch();
  callRuntime.setCamera(false);
  callRuntime.setCamera(true);
  const told = () => server.socket.heard("search-media").map(({ state }) => state);
  await expect.poll(told).toEqual(["camera_off", "camera_on"]);
});
