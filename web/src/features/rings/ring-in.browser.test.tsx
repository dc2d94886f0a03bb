import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { ringMs } from "@fava/wire/limits.ts";
import { formatTime } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { expectCallState, expectHome, meet, openSearch } from "#testing/call-page.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf, toasts } from "#testing/page-steps.ts";
import { nobodyAnswers, peoplePage } from "#testing/people-fixtures.ts";
import { openPeoplePanel, peopleTab, profileOf } from "#testing/people-steps.ts";
import { installRemotePerson } from "#testing/remote-person.ts";
import { ringOf } from "#testing/ring-fixtures.ts";
import { ringBy, ringOfName } from "#testing/ring-steps.ts";

const bo = personOf("Bo", { followStatus: 2 });
const mutedUntilMs = Date.now() + 86_400_000;
const answers: Answers = {
  ...nobodyAnswers,
  ringAnswer: ({ accept }) => ({ state: accept === 1 ? "connected" : "declined" }),
  ringMute: ({ on }) => ({ until: on === 1 ? mutedUntilMs : null }),
  userInfo: otherUserOf("Bo", { followStatus: 2 }),
};
const member = { as: ana, answers, stored: { neverShowRule: "1" } } as const;
const press = (key: "ring.accept" | "ring.decline" | "ring.notToday") =>
  page.getByRole("button", { name: t(key), exact: true }).click();

/** Presses a key at the focus, long after the last one. */
function pressKey(key: string): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, "timeStamp", { value: performance.now() + 60_000 });
  document.activeElement?.dispatchEvent(event);
}

const isLive = () => localMedia.getState().media.status === "live";

async function turnOnCamera(): Promise<void> {
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.poll(isLive).toBe(true);
}

test("shows a ring above an open dialog, without a camera; Enter accepts, and the two are in a call", async () => {
  installRemotePerson();
  const server = await openPage(member);
  const opened = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  const panel = await openPeoplePanel();
  const title = document.title;
  await ringBy(server, "Bo", "ring-1");
  await expect.element(page.getByRole("heading", { name: t("ring.isCalling", { name: "Bo" }) })).toHaveFocus();
  await expect.poll(() => server.asked("testRoomSign")).toHaveLength(1);
  expect([document.title.includes("Bo"), opened.mock.calls.length]).toEqual([true, 0]);
  pressKey("Enter");
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ id: "ring-1", accept: 1 }]);
  expect(opened).toHaveBeenCalled();
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "elsewhere" });
  await expect.element(panel).not.toBeInTheDocument();
  await meet(server);
  expect(document.title).toBe(title);
  // During a call the profile offers no ring.
  await page.getByRole("button", { name: profileOf("Bo") }).click();
  const profile = page.getByRole("dialog", { name: "Bo" });
  await expect.element(profile.getByRole("button", { name: t("other.message") })).toBeVisible();
  expect(profile.getByRole("button", { name: startOf("ring.call") }).query()).toBeNull();
});

test("declines on Escape, and restores the focus", async () => {
  const server = await openPage(member);
  await openPeoplePanel();
  await peopleTab("friends").click();
  await ringBy(server, "Bo", "ring-1");
  pressKey("Escape");
  await expect.element(ringOfName("Bo")).not.toBeInTheDocument();
  await expect.element(peopleTab("friends")).toHaveFocus();
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ id: "ring-1", accept: 0 }]);
});

test("closes the dialog with the press that accepts, without an animation over the call", async () => {
  const server = await openPage(member);
  // With a running camera the ring is answered at once.
  await turnOnCamera();
  const asked = await ringBy(server, "Bo", "ring-1");
  // Until the title has the focus, Enter would press the button that turned the camera on.
  await expect.element(asked.getByRole("heading")).toHaveFocus();
  pressKey("Enter");
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(page.getByRole("alertdialog").query()).toBeNull();
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ id: "ring-1", accept: 1 }]);
});

/** Delays the camera until the returned function is called. */
function holdCamera(): () => void {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  vi.spyOn(mediaDevices, "getUserMedia").mockImplementation((wish) => held.then(() => open(wish)));
  return release;
}

/** Accepts Bo's ring; the camera opens when the test calls the returned function. */
async function acceptSlowly() {
  const server = await openPage(member);
  const release = holdCamera();
  const asked = await ringBy(server, "Bo", "ring-1");
  await press("ring.accept");
  await expect.element(leadsTo("Bo")).toBeVisible();
  return { server, release, asked };
}

const leadsTo = (name: string) => page.getByRole("alertdialog", { name: t("ring.connecting", { name }) });
test("names the friend while the camera opens, and closes at once when the ring is accepted", async () => {
  const { server, release, asked } = await acceptSlowly();
  await expect.element(leadsTo("Bo").getByRole("heading")).toHaveFocus();
  expect([asked.query(), server.asked("ringAnswer")]).toEqual([null, []]);
  const left = new Promise((resolve) => {
    const stop = localMedia.subscribe(() => isLive() && resolve(stop()));
  });
  release();
  await left;
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ id: "ring-1", accept: 1 }]);
  expect(leadsTo("Bo").query()).toBeNull();
});

test("declines when the user gives up while the camera opens, and closes the camera", async () => {
  const { server, release } = await acceptSlowly();
  pressKey("Escape");
  await expect.element(leadsTo("Bo")).not.toBeInTheDocument();
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ id: "ring-1", accept: 0 }]);
  release();
  await expectHome();
  expect([
    isLive(),
    toasts()
      .getByText(t("openCall.gone", { name: "Bo" }))
      .query(),
  ]).toEqual([false, null]);
});

test("reports a friend who gives up while the camera opens, and closes the camera", async () => {
  const { server, release } = await acceptSlowly();
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "cancelled" });
  await expectToast(t("openCall.gone", { name: "Bo" }));
  await expect.element(leadsTo("Bo")).not.toBeInTheDocument();
  release();
  await expectHome();
  expect([isLive(), server.asked("ringAnswer")]).toEqual([false, []]);
});

test("says during a search what accepting ends; the search ends without a stop request", async () => {
  const server = await openSearch({ answers });
  await ringBy(server, "Bo", "ring-1");
  await expect.element(ringOfName("Bo")).toHaveTextContent(t("ring.textBusy"));
  await press("ring.accept");
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ accept: 1 }]);
  await expect.element(page.getByRole("heading", { name: t("ring.connecting", { name: "Bo" }) })).toBeVisible();
  expect(server.asked("matchStop")).toEqual([]);
  await meet(server);
});

test("stops the search on the server too when the accepted ring is over, and reports that the friend is gone", async () => {
  const over = new Refusal(codes.forbidden, { reason: "not_in_room" });
  const server = await openSearch({ answers: { ...answers, matchStop: {}, ringAnswer: over } });
  await ringBy(server, "Bo", "ring-1");
  await press("ring.accept");
  await expectToast(t("openCall.gone", { name: "Bo" }));
  await expectHome();
  await expect.poll(() => server.asked("matchStop")).toHaveLength(1);
});

test("shows rings on a device whose clock is two minutes ahead", async () => {
  const server = await openPage({ ...member, serverAheadMs: -120_000 });
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
  server.socket.social(ringOf("Bo", "ring-1", Date.now() - 120_000 + ringMs));
  await expect.element(ringOfName("Bo")).toBeVisible();
});

test("declines when the user gives up on the way to the call; reports a friend who is gone by then", async () => {
  const server = await openPage({ ...member, stored: {} });
  await ringBy(server, "Bo", "ring-1");
  await press("ring.accept");
  const rules = () => page.getByRole("dialog", { name: t("rules.title") });
  await expect.element(rules()).toBeVisible();
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "cancelled" });
  await page.getByRole("button", { name: t("rules.ok") }).click();
  await expectToast(t("openCall.gone", { name: "Bo" }));
  expect(server.asked("ringAnswer")).toEqual([]);
});

test("reports a friend who is gone by then when the camera ran before, and keeps it running", async () => {
  const server = await openPage({ ...member, stored: {} });
  await turnOnCamera();
  await ringBy(server, "Bo", "ring-1");
  await press("ring.accept");
  await expect.element(page.getByRole("dialog", { name: t("rules.title") })).toBeVisible();
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "cancelled" });
  await expectToast(t("openCall.gone", { name: "Bo" }));
  await page.getByRole("button", { name: t("rules.ok") }).click();
  await expectHome();
  expect([isLive(), server.asked("ringAnswer")]).toEqual([true, []]);
});

test("asks about the next ring after the first, and closes the question of a ring that ends", async () => {
  const server = await openPage(member);
  await ringBy(server, "Bo", "ring-1");
  await press("ring.decline");
  await ringBy(server, "Noor", "ring-2");
  expect(ringOfName("Bo").query()).toBeNull();
  server.socket.social({ kind: "ring_over", id: "ring-2", why: "missed" });
  await expect.element(ringOfName("Noor")).not.toBeInTheDocument();
  await expectHome();
});

test("declines by “not today” and says until when, with an undo there and in the profile", async () => {
  const friends = peoplePage([bo]);
  const server = await openPage({ ...member, answers: { ...answers, friendList: friends } });
  await ringBy(server, "Bo", "ring-1");
  await press("ring.notToday");
  await expectToast(t("ring.muted", { name: "Bo", time: formatTime(mutedUntilMs) }));
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ accept: 0 }]);
  await toasts().getByText(t("people.undo"), { exact: true }).click();
  await expectToast(t("ring.unmuted", { name: "Bo" }));
  expect(server.asked("ringMute")).toMatchObject([
    { other_id: bo.user_id, on: 1 },
    { other_id: bo.user_id, on: 0 },
  ]);
  server.answer({ userInfo: otherUserOf("Bo", { followStatus: 2, ring_muted_until: mutedUntilMs }) });
  const panel = await openPeoplePanel();
  await peopleTab("friends").click();
  await panel.getByRole("button", { name: profileOf("Bo") }).click();
  await page.getByRole("button", { name: t("ring.allow") }).click();
  await expect.element(page.getByRole("button", { name: t("ring.allow") })).not.toBeInTheDocument();
  expect(server.asked("ringMute")).toHaveLength(3);
});

test("shows who rings in one line in a tab without the camera, until that is over", async () => {
  let release: () => void = () => undefined;
  const other = navigator.locks.request(
    "fava-page",
    { steal: true },
    () => new Promise<void>((end) => (release = end)),
  );
  onTestFinished(async () => {
    release();
    await other.catch(() => undefined);
  });
  await openPage(member);
  const tabs = new BroadcastChannel(`fava-social-${ana.user_id}`);
  onTestFinished(() => tabs.close());
  const tell = (event: object) => tabs.postMessage({ type: "frame", frame: { type: "social", sequence: 1, event } });
  const line = t("ring.elsewhere", { name: "Bo" });
  await expect
    .poll(() => {
      tell(ringOf("Bo", "ring-1"));
      return toasts().getByText(line, { exact: true }).query();
    })
    .not.toBeNull();
  expect(ringOfName("Bo").query()).toBeNull();
  tell({ kind: "ring_over", id: "ring-1", why: "elsewhere" });
  await expect.element(toasts().getByText(line, { exact: true })).not.toBeInTheDocument();
});

test("rings silently until the sound is turned on, which applies to the next ring", async () => {
  const contexts: AudioContext[] = [];
  const Sound = AudioContext;
  vi.stubGlobal(
    "AudioContext",
    class extends Sound {
      constructor() {
        super();
        contexts.push(this);
      }
    },
  );
  const server = await openPage(member);
  await ringBy(server, "Bo", "ring-1");
  const tone = page.getByRole("button", { name: t("ring.tone") });
  await expect.element(tone).toHaveAttribute("aria-pressed", "false");
  expect(contexts).toEqual([]);
  await tone.click();
  await expect.poll(() => contexts.map(({ state }) => state)).toEqual(["running"]);
  await press("ring.decline");
  await expect.poll(() => contexts.map(({ state }) => state)).toEqual(["closed"]);
  await expect.element(ringOfName("Bo")).not.toBeInTheDocument();
  await ringBy(server, "Bo", "ring-2");
  await expect.element(tone).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => contexts.length).toBe(2);
  await tone.click();
  await expect.poll(() => contexts[1]?.state).toBe("closed");
  expect(localStorage.getItem("ringTone")).toBe("0");
});

test("returns to home when the friend leaves a call that they started", async () => {
  installRemotePerson();
  const server = await openPage(member);
  await ringBy(server, "Bo", "ring-1");
  await press("ring.accept");
  await expect.poll(() => server.asked("ringAnswer").length).toBe(1);
  const roomId = await meet(server);
  await expectCallState("in-call");
  server.socket.push({ code: 100_002, roomId, reason: "left" });
  await expectToast(t("search.left", { name: "Bo" }));
  await expectHome();
  expect(server.asked("matchStart")).toEqual([]);
});
