import { pushCodes } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { UncheckedEnd } from "#features/call/machine/call-state.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, meet, openCall, openSearch } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { match } from "#testing/match.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key) });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name }));
/** Whether the blurred copy covers the remote video. */
const isBlurred = () => document.querySelector("section[data-status] canvas") !== null;
/** The portrait of the partner; none where the first letter of the name replaces it. */
const portrait = () =>
  page
    .getByRole("button", { name: t("people.profileOf", { name }) })
    .element()
    .querySelector("img");

function tell(server: FixtureWorld, roomId: string, shield: Partial<Shield>): void {
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear", ...shield });
}

test("[SAFE-200] blurs a video and shows that it is being checked until the server clears it", async () => {
  const server = await openSearch();
  const roomId = await match(server, window.remotePerson);
  await expectCallState("in-call");
  await expect.element(heading("shield.checking")).toBeVisible();
  expect(isBlurred()).toBe(true);
  expect(portrait()).toBeNull();
  tell(server, roomId, {});
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  await expect.poll(isBlurred).toBe(false);
  expect(portrait()).not.toBeNull();
});

/** Brightest value of the blurred copy, and its widest distance between two colours of one point. */
function coverOf(): { brightest: number; colour: number } {
  const canvas = document.querySelector<HTMLCanvasElement>("section[data-status] canvas");
  const { data = [] } = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
  let [brightest, colour] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const rgb = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    brightest = Math.max(brightest, ...rgb);
    colour = Math.max(colour, Math.max(...rgb) - Math.min(...rgb));
  }
  return { brightest, colour };
}

test("closes the ring around a video that is being checked, opens it once shown, and greys what is hidden", async () => {
  const ring = () => document.querySelector("[data-iris]")?.getAttribute("data-iris") ?? null;
  const server = await openSearch();
  const roomId = await match(server, window.remotePerson);
  await expectCallState("in-call");
  await expect.poll(ring).toBe("closed");
  await expect.poll(() => coverOf().colour).toBeGreaterThan(0);
  const checking = coverOf();
  tell(server, roomId, {});
  await expect.poll(ring).toBe("open");
  tell(server, roomId, { other: "hidden" });
  await expect.poll(ring).toBeNull();
  await expect.poll(() => coverOf().brightest).toBeLessThan(checking.brightest);
  expect(coverOf().colour).toBeLessThan(checking.colour);
});

test("hides a video with an unsure verdict and says so; the chat continues, and the video returns by itself", async () => {
  const { server, roomId } = await openCall();
  tell(server, roomId, { other: "hidden" });
  await expect.element(heading("shield.hidden")).toBeVisible();
  await expect.element(page.getByText(t("shield.hiddenText"))).toBeVisible();
  expect(isBlurred()).toBe(true);
  expect(portrait()).toBeNull();
  server.socket.chat(roomId, "Can you hear me?");
  await expect.element(page.getByText("Can you hear me?")).toBeVisible();
  const sound = remoteVideo().element() as HTMLVideoElement;
  expect([sound.muted, sound.paused]).toEqual([false, false]);
  tell(server, roomId, {});
  await expect.element(heading("shield.hidden")).not.toBeInTheDocument();
  await expect.poll(isBlurred).toBe(false);
});

test("tells the sender of a hidden or dark video who cannot see it, why and what comes next, until it is shown", async () => {
  const { server, roomId } = await openCall();
  for (const own of ["warned", "covered", "nobody", "still"] as const) {
    tell(server, roomId, { own });
    await expect.element(page.getByText(t(`shield.${own}`, { name }), { exact: true })).toBeVisible();
    await expect.element(page.getByText(t(`shield.${own}Text`))).toBeVisible();
  }
  tell(server, roomId, { own: "warned" });
  await expect.element(page.getByText(t("shield.hiddenFrom", { name }))).toBeVisible();
  await expect.element(page.getByRole("link", { name: new RegExp(`^${t("shield.rules")}`) })).toBeVisible();
  // A problem of the local video does not change the remote one.
  expect(isBlurred()).toBe(false);
  tell(server, roomId, {});
  await expect.element(page.getByText(t("shield.warnedText"))).not.toBeInTheDocument();
  await expect.element(page.getByText(t("shield.hiddenFrom", { name }))).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test("tells both sides that a picture stands still, and continues the call", async () => {
  const { server, roomId } = await openCall();
  const still = page.getByRole("main").getByText(t("shield.stillOther", { name }));
  tell(server, roomId, { other_still: true });
  await expect.element(still).toBeVisible();
  expect(isBlurred()).toBe(false);
  tell(server, roomId, { own: "still" });
  await expect.element(page.getByText(t("shield.still"), { exact: true })).toBeVisible();
  await expect.element(still).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test("shows one video on request when videos are kept blurred, and blurs the next one again", async () => {
  const { server, roomId } = await openCall();
  await page.getByRole("button", { name: t("msg.menu", { name }) }).click();
  await page.getByRole("menuitemcheckbox", { name: t("shield.keep") }).click();
  await expect.element(heading("shield.kept")).toBeVisible();
  expect(isBlurred()).toBe(true);
  await page.getByRole("button", { name: t("shield.show") }).click();
  await expect.poll(isBlurred).toBe(false);
  await expect.element(remoteVideo()).toBeVisible();
  // Never a video that the frame checks hide.
  tell(server, roomId, { other: "hidden" });
  await expect.element(heading("shield.hidden")).toBeVisible();
  await expect.element(page.getByRole("button", { name: t("shield.show") })).not.toBeInTheDocument();

  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  const next = await match(server, window.remotePerson);
  await expectCallState("in-call");
  tell(server, next, {});
  await expect.element(heading("shield.kept")).toBeVisible();
  expect(isBlurred()).toBe(true);
});

test("tells a user whose call was cut, searches again, and shows the returned beans", async () => {
  const { server, roomId } = await openCall({}, { remote: { price: 1_600 } });
  server.answer({ myInfo: { ...ana, credit5: 48_200 } });
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "cut" });
  await expectCallState("searching");
  await expect.element(heading("shield.cut")).toBeVisible();
  await expect.element(page.getByText(t("shield.cutPaid"))).toBeVisible();
  await expect.element(page.getByRole("img", { name: /^48,200/ })).toBeVisible();
  // The next match works.
  await meet(server);
});

const ends = (seconds: number) => t("shield.ends", { n: seconds, count: String(seconds) });

test("names a weak connection to either side for frames that do not arrive, and never blames the camera", async () => {
  const { server, roomId } = await openCall();
  tell(server, roomId, { own: "missing", own_why: "weak" });
  await expect.element(page.getByText(t("shield.weak"))).toBeVisible();
  await expect.element(page.getByText(t("shield.weakOwn"))).toBeVisible();
  await expect.element(page.getByText(t("shield.goesOn"))).toBeVisible();
  await expect.element(page.getByText(t("shield.hiddenFrom", { name }))).toBeVisible();
  expect(isBlurred()).toBe(false);
  tell(server, roomId, { other: "hidden", other_why: "weak" });
  await expect.element(heading("shield.weak")).toBeVisible();
  await expect.element(page.getByText(t("shield.weakOther", { name }))).toBeVisible();
  await expect.element(page.getByText(t("shield.hiddenText"))).not.toBeInTheDocument();
  expect(isBlurred()).toBe(true);
  tell(server, roomId, {});
  await expect.element(heading("shield.weak")).not.toBeInTheDocument();
  await expect.poll(isBlurred).toBe(false);
});

test("blames nobody for frames that our servers had no time to check", async () => {
  const { server, roomId } = await openCall();
  for (const other of ["hidden", "checking"] as const) {
    tell(server, roomId, { other, other_why: "busy" });
    await expect.element(heading("shield.busy")).toBeVisible();
    await expect.element(page.getByText(t("shield.busyText"))).toBeVisible();
  }
  for (const own of ["missing", "checking"] as const) {
    tell(server, roomId, { own, own_why: "busy" });
    await expect.element(heading("shield.busy")).not.toBeInTheDocument();
    await expect.element(page.getByText(t("shield.busy"))).toBeVisible();
  }
});

test.each([
  ["own", { own: "missing", own_why: "weak" }, "shield.weakOwn"],
  ["other", { other: "hidden", other_why: "weak" }, "shield.weakOther"],
] as const)(
  "counts the last ten seconds of a call that ends for want of %s frames, and says so once",
  async (whose, pictures, reason) => {
    const { server, roomId } = await openCall();
    const startMs = Date.now();
    let nowMs = startMs;
    vi.spyOn(Date, "now").mockImplementation(() => nowMs);
    const said: string[] = [];
    const region = document.getElementById("said-polite")!;
    const listener = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) said.push(node.textContent ?? "");
    });
    listener.observe(region, { childList: true });
    tell(server, roomId, { ...pictures, ends: { whose, in_ms: 15_000 } });
    await expect.element(page.getByText(t(reason, { name }))).toBeVisible();
    await expect.element(page.getByText(ends(15))).not.toBeInTheDocument();
    nowMs = startMs + 5_100;
    await expect.element(page.getByText(ends(10))).toBeVisible();
    nowMs = startMs + 11_500;
    await expect.element(page.getByText(ends(4))).toBeVisible();
    expect(said.filter((words) => words.startsWith(ends(10)))).toHaveLength(1);
    expect(said.some((words) => words.startsWith(ends(4)))).toBe(false);
    expect(callState()).toBe("in-call");
    listener.disconnect();
    vi.restoreAllMocks();
  },
);

test("takes the countdown away when a frame arrives, and shows it the next time", async () => {
  const { server, roomId } = await openCall();
  const ending = { own: "missing", own_why: "weak", ends: { whose: "own", in_ms: 8_000 } } as const;
  const countdown = page.getByText(/^The call ends in \d+ seconds?$/);
  tell(server, roomId, ending);
  await expect.element(countdown).toBeVisible();
  tell(server, roomId, {});
  await expect.element(countdown).not.toBeInTheDocument();
  tell(server, roomId, ending);
  await expect.element(countdown).toBeVisible();
});

/** The push that tells either side that the call ended for want of frames. */
function endUnchecked(server: FixtureWorld, roomId: string, unchecked: UncheckedEnd): void {
  if (unchecked.whose === "other")
    return server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "cut", unchecked });
  const about = { roomId, type: 2, is_enough: 1, why: "unchecked", meter: null } as const;
  server.socket.push({ code: pushCodes.callMessage, ...about, unchecked });
}

const cameraHelp = ["shield.helpCamera", "shield.helpLight", "shield.helpApps"] as const;

test.each([
  ["own", "late", "shield.ownLate", ["shield.helpNetwork", "shield.helpPage"]],
  ["own", "none", "shield.ownNone", ["shield.helpPage", "shield.helpNetwork"]],
  ["own", "black", "shield.ownBlack", ["shield.helpCamera", "shield.helpApps"]],
  ["own", "covered", "shield.ownCovered", ["shield.helpCamera", "shield.helpLight"]],
  ["own", "ours", "shield.ours", []],
  ["other", "late", "shield.otherLate", []],
  ["other", "none", "shield.otherNone", []],
  ["other", "black", "shield.otherBlack", []],
  ["other", "covered", "shield.otherCovered", []],
  ["other", "ours", "shield.ours", []],
] as const)(
  "names the true cause where %s frames were missing (%s), what helps, and what came back",
  async (...[whose, cause, key, helps]) => {
    const { server, roomId } = await openCall();
    endUnchecked(server, roomId, { whose, cause, returned: 614 });
    const isOwn = whose === "own";
    const title = isOwn ? t("shield.unchecked") : t("shield.uncheckedOther", { name });
    const sheet = page.getByRole("dialog", { name: title });
    await expect.element(sheet.getByText(t(key, { name }))).toBeVisible();
    await expect
      .element(sheet.getByText(t(isOwn ? "shield.uncheckedText" : "shield.uncheckedOtherText")))
      .toBeVisible();
    await expect.element(sheet.getByText(t("shield.uncheckedBack", { n: 614, count: "614" }))).toBeVisible();
    const items = sheet.getByRole("listitem").elements();
    expect(items.map((item) => item.textContent)).toEqual(helps.map((help) => t(help)));
    await sheet.getByRole("button", { name: t("shield.again") }).click();
    await expectCallState("searching");
    await expect.element(heading("shield.cut")).not.toBeInTheDocument();
  },
);

test("mentions no beans when none came back, and no camera when frames came late", async () => {
  const { server, roomId } = await openCall();
  const sheet = page.getByRole("dialog", { name: t("shield.unchecked") });
  endUnchecked(server, roomId, { whose: "own", cause: "late", returned: 0 });
  await expect.element(sheet.getByText(t("shield.ownLate"))).toBeVisible();
  expect(sheet.element().textContent).not.toMatch(/bean/);
  for (const key of cameraHelp) await expect.element(sheet.getByText(t(key))).not.toBeInTheDocument();
});

test("shows the countdown of the own picture as one line on a phone, with a large button for its reason", async () => {
  const { server, roomId } = await openCall({ window: phone });
  tell(server, roomId, { own: "missing", own_why: "weak", ends: { whose: "own", in_ms: 9_000 } });
  const more = page.getByRole("button", { name: t("msg.more") });
  await expect.element(more).toBeVisible();
  expect(document.querySelector("[data-notices]")!.getBoundingClientRect().height).toBeLessThanOrEqual(64);
  expect(more.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(48);
});

test("opens a report during the call without a chosen reason, says what is sent, and the call continues", async () => {
  const { server } = await openCall({ answers: { feedback: {} } }, { push: { id: "the-call" } });
  await page.getByRole("button", { name: t("people.reportName", { name }) }).click();
  const sheet = page.getByRole("dialog", { name: t("report.title") });
  await expect.element(sheet.getByText(t("report.sends"))).toBeVisible();
  expect(sheet.getByRole("radio", { checked: true }).elements()).toEqual([]);
  await sheet.getByRole("radio", { name: t("reason.report.5") }).click();
  await sheet.getByRole("button", { name: t("report.send") }).click();
  await expect.element(page.getByText(t("report.sent")).first()).toBeVisible();
  expect(server.asked("feedback")).toMatchObject([{ id: 5, user_id: ana.user_id, call_id: "the-call" }]);
  await expect.element(sheet).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test.each([
  { place: "a phone on its side", window: { width: 640, height: 400 }, textPercent: 100 },
  { place: "a phone with text twice as large", window: phone, textPercent: 200 },
])(
  "shows a one-line notice about the local video, the rest on a press, covering neither signs nor controls, on $place",
  async ({ window, textPercent }) => {
    const { server, roomId } = await openCall({ window });
    document.documentElement.style.fontSize = `${textPercent}%`;
    server.socket.say({ type: "peer-media", roomId, state: "mic_off" });
    const silent = page.getByText(t("call.micOff"));
    await expect.element(silent).toBeVisible();
    const expectBetween = () => {
      const box = document.querySelector("[data-notices]")!.getBoundingClientRect();
      for (const above of [silent.element(), page.getByRole("timer").element()])
        expect(above.getBoundingClientRect().bottom).toBeLessThanOrEqual(box.top);
      const controls = page.getByRole("toolbar", { name: t("call.controls") }).element();
      expect(box.bottom).toBeLessThan(controls.getBoundingClientRect().top);
      expect(box.height).toBeGreaterThanOrEqual(48);
    };
    for (const [own, ...keys] of [
      ["warned", "shield.warned", "shield.warnedText"],
      ["missing", "shield.weak", "shield.weakOwn"],
    ] as const) {
      tell(server, roomId, { own });
      const [title, text] = keys.map((key) => page.getByText(t(key, { name })));
      await expect.element(title!).toBeVisible();
      await expect.element(text!).not.toBeVisible();
      expectBetween();
      await page.getByRole("button", { name: t("msg.more") }).click();
      await expect.element(text!).toBeVisible();
      expectBetween();
      await page.getByRole("button", { name: t("msg.more") }).click();
    }
    document.documentElement.style.fontSize = "";
  },
);
