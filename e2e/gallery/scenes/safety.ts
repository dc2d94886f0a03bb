import { expect } from "@playwright/test";
import { Refusal, silence } from "@fava/web/testing/fixture-world.ts";
import { neededAgeCheck } from "@fava/web/testing/fixtures.ts";
import { undoMs } from "@fava/wire/limits.ts";
import { pushCodes, type UncheckedCause } from "@fava/wire/pushes.ts";
import type { Shield } from "@fava/wire/socket.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import type { PageWorld } from "../../support/fixture-page.ts";
import { expectCallState } from "../../support/people.ts";
import { holdTimers, fireTimers } from "../held-timers.ts";
import { scene } from "../scene.ts";

const apart = { controlsApart: true } as const;
const bo = { name: "Bo" } as const;
const until = Date.UTC(2026, 10, 22, 9, 30);
const words = "He said that he recorded me, and that my friends would get it tonight.";
const panicking = { ...caller, answers: { ...caller.answers, block: {}, feedback: {} } };

/** Sends the verdicts of the frame checks on both videos of a room. */
function tell({ server }: PageWorld, roomId: string, shield: Partial<Shield>): void {
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear", ...shield });
}

/** How a call ended for want of frames: whose they were, and why. */
const uncheckedEnds: readonly (readonly [name: string, whose: "own" | "other", cause: UncheckedCause])[] = [
  ["own-late", "own", "late"],
  ["own-none", "own", "none"],
  ["own-black", "own", "black"],
  ["own-covered", "own", "covered"],
  ["own-ours", "own", "ours"],
  ["other-late", "other", "late"],
  ["other-none", "other", "none"],
  ["other-black", "other", "black"],
  ["other-covered", "other", "covered"],
  ["other-ours", "other", "ours"],
];

export const safetyScenes = [
  scene("the verdicts of the checks on both videos", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await world.match(page);
    await expectCallState(page, "in-call");
    await page.getByRole("heading", { name: said("shield.checking") }).waitFor();
    await show("safety-checking", apart);
    tell(world, roomId, { other: "hidden" });
    await page.getByRole("heading", { name: said("shield.hidden") }).waitFor();
    await show("safety-hidden", apart);
    tell(world, roomId, { other: "hidden", own: "warned" });
    await page.getByText(said("shield.warnedText")).waitFor();
    await show("safety-both", apart);
    tell(world, roomId, {});
    await page.getByRole("heading", { name: said("shield.hidden") }).waitFor({ state: "detached" });
    await show("safety-clear", apart);
    const keepBlurred = async () => {
      await page.getByRole("button", { name: said("msg.menu", bo) }).click();
      await page.getByRole("menuitemcheckbox", { name: said("shield.keep") }).click();
    };
    await keepBlurred();
    await page.getByRole("heading", { name: said("shield.kept") }).waitFor();
    await show("safety-kept", apart);
    world.server.socket.say({ type: "peer-media", roomId, state: "mic_off" });
    await page.getByText(said("call.micOff")).waitFor();
    await show("safety-kept-silent", apart);
    await keepBlurred();
    world.server.socket.say({ type: "peer-media", roomId, state: "mic_on" });
    await page.getByText(said("call.micOff")).waitFor({ state: "detached" });
    world.server.socket.chat(roomId, "Hello! Where are you?");
    for (const own of ["warned", "covered"] as const) {
      tell(world, roomId, { own });
      await page.getByText(said(`shield.${own}`, bo)).waitFor();
      await show(`safety-${own}`, apart);
    }
    tell(world, roomId, { own: "still", other_still: true });
    await page.getByText(said("shield.still")).waitFor();
    await page.locator("#call").getByText(said("shield.stillOther", bo)).waitFor();
    await show("safety-still", apart);
  }),

  scene("frames that do not reach the checks, or wait for them", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const weak = { own: "missing", own_why: "weak" } as const;
    const otherWeak = { other: "hidden", other_why: "weak" } as const;
    tell(world, roomId, weak);
    await page.getByText(said("shield.weak")).waitFor();
    await show("safety-own-weak", apart);
    tell(world, roomId, { own: "missing", own_why: "busy" });
    await page.getByText(said("shield.busy")).waitFor();
    await show("safety-own-busy", apart);
    // The countdown stands still, because the page's clock does.
    tell(world, roomId, { ...weak, ends: { whose: "own", in_ms: 8_000 } });
    await page.locator("[data-notices] b", { hasText: "8" }).waitFor();
    await show("safety-own-ends", apart);
    tell(world, roomId, otherWeak);
    await page.getByRole("heading", { name: said("shield.weak") }).waitFor();
    await show("safety-other-weak", apart);
    tell(world, roomId, { ...otherWeak, ends: { whose: "other", in_ms: 8_000 } });
    await page.locator("[data-notices] b", { hasText: "8" }).waitFor();
    await show("safety-other-ends", apart);
    tell(world, roomId, { other: "hidden", other_why: "busy" });
    await page.getByRole("heading", { name: said("shield.busy") }).waitFor();
    await show("safety-other-busy", apart);
    tell(world, roomId, { ...weak, ...otherWeak });
    await page.getByRole("heading", { name: said("shield.weak") }).waitFor();
    await show("safety-both-weak", apart);
  }),

  scene("a report in a call, and the panic page", panicking, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    await meetIn(page, world);
    await page.getByRole("button", { name: said("people.reportName", bo) }).click();
    const sheet = page.getByRole("dialog", { name: said("report.title") });
    await sheet.getByText(said("report.sends")).waitFor();
    await show("safety-report");
    await sheet.getByRole("radio").first().press("Enter");
    await sheet.getByText(said("report.choose")).waitFor();
    await show("safety-report-unchosen");
    await sheet.getByRole("radio").nth(1).check();
    await sheet.getByRole("switch").click();
    await sheet.getByRole("textbox", { name: said("report.words") }).fill(words);
    await show("safety-report-chosen");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("x");
    await page.getByText(said("panic.waiting", bo)).waitFor();
    await show("safety-panic");
    await page.getByRole("radio", { name: said("reason.report.9") }).check();
    await show("safety-panic-reason");
    let arrive = () => {};
    const held = new Promise<object>((resolve) => (arrive = () => resolve({})));
    world.server.answer({ block: () => held });
    await fireTimers(page, undoMs);
    await page.getByText(said("panic.sending", bo)).waitFor();
    await show("safety-panic-sending");
    arrive();
    await page.getByText(said("panic.sent", bo)).waitFor();
    await page.getByRole("textbox", { name: said("report.words") }).fill(words);
    await show("safety-panic-sent");
    await page.getByRole("button", { name: said("msg.send"), exact: true }).click();
    await page.getByText(said("report.wordsSent")).waitFor();
    await show("safety-panic-words");
  }),

  scene("calls that the checks ended", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const first = await meetIn(page, world);
    world.server.socket.push({ code: pushCodes.otherLeft, roomId: first, reason: "cut" });
    await page.getByText(said("shield.cutText")).waitFor();
    await show("safety-cut", apart);
    const paid = await meetIn(page, world, { remote: { price: 1_600 } });
    world.server.socket.push({ code: pushCodes.otherLeft, roomId: paid, reason: "cut" });
    await page.getByText(said("shield.cutPaid")).waitFor();
    await show("safety-cut-paid", apart);
  }),

  scene("calls that ended for want of frames", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const about = { type: 2, is_enough: 1, why: "unchecked", meter: null } as const;
    const again = page.getByRole("button", { name: said("shield.again") });
    for (const [name, whose, cause] of uncheckedEnds) {
      const roomId = await meetIn(page, world);
      const unchecked = { whose, cause, returned: name === "own-none" ? 0 : 614 };
      if (whose === "own") world.server.socket.push({ code: pushCodes.callMessage, roomId, ...about, unchecked });
      else world.server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "cut", unchecked });
      await page.getByRole("dialog").waitFor();
      await show(`safety-unchecked-${name}`);
      await again.click();
      await expectCallState(page, "searching");
    }
  }),

  scene("a pause before the next match", caller, async ({ page, said, show, world }) => {
    world.server.answer({ matchStart: new Refusal(403, { reason: "paused", until }) });
    const start = page.getByRole("button", { name: said("home.start") });
    const notice = page.getByRole("dialog", { name: said("shield.pausedTitle") });
    await start.click();
    await notice.waitFor();
    await show("safety-paused");
    await notice.getByRole("button", { name: said("common.ok") }).click();
    await notice.waitFor({ state: "detached" });
    world.server.answer({ matchStart: new Refusal(403, { reason: "paused" }) });
    await start.click();
    await notice.waitFor();
    await expect(notice.getByText(said("shield.pausedUntil"))).toHaveCount(0);
    await show("safety-paused-without-end");
    world.server.answer({ pauseAsk: { due_at: until } });
    await notice.getByRole("button", { name: said("shield.pausedAsk") }).click();
    await expect(notice.getByRole("button", { name: said("shield.pausedAsk") })).toHaveCount(0);
    await show("safety-paused-asked");
  }),

  scene("an age check, from the question to the pass", caller, async ({ page, said, show, world }) => {
    const refused = new Refusal(403, { reason: "age_check", why: "country", state: "none", retry_at: null });
    world.server.answer({ matchStart: refused, ageInfo: neededAgeCheck });
    const start = page.getByRole("button", { name: said("home.start") });
    const sheet = page.getByRole("dialog", { name: said("ageCheck.title") });
    await start.click();
    await sheet.getByRole("button", { name: said("ageCheck.document") }).waitFor();
    await show("age-check");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    world.server.answer({
      ageInfo: { ...neededAgeCheck, why: "asked", state: "failed", methods: ["document"], until },
    });
    await start.click();
    await sheet.getByRole("button", { name: said("ageCheck.document") }).waitFor();
    await show("age-check-failed");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    world.server.answer({ ageInfo: { ...neededAgeCheck, state: "failed", methods: [] } });
    await start.click();
    await sheet.getByRole("button", { name: said("login.contact") }).waitFor();
    await show("age-check-support");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    world.server.answer({ ageInfo: { ...neededAgeCheck, methods: [], vendor: null } });
    await start.click();
    await page.getByRole("dialog", { name: said("ageCheck.closedTitle") }).waitFor();
    await show("age-check-closed");
  }),

  scene("an undone panic, and one that fails to send", panicking, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    await meetIn(page, world);
    await page.keyboard.press("x");
    await page.getByText(said("panic.waiting", bo)).waitFor();
    await page.keyboard.press("u");
    await page.getByText(said("panic.undone", bo)).waitFor();
    await show("safety-panic-undone");
    await page.getByRole("button", { name: said("panic.meet") }).click();
    // Its camera is on again.
    await page.locator("#call aside video").waitFor();
    await meetIn(page, world);
    world.expectErrors(/ERR_EMPTY_RESPONSE/);
    world.server.answer({ feedback: silence });
    await page.keyboard.press("x");
    await page.getByText(said("panic.waiting", bo)).waitFor();
    await fireTimers(page, undoMs);
    await page.getByText(said("panic.failed")).waitFor();
    await show("safety-panic-failed");
  }),
];
