import { expect, type Locator, type Page } from "@playwright/test";
import { matchTimeoutMs, pausedOfferMs, reconnectGiveUpMs, weakShownMs, widenOfferMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import type { MediaState } from "@fava/wire/socket.ts";
import { signLanguage, spokenLanguages } from "@fava/wire/talk.ts";
import { countryOf, galleryNowMs, personOf, remoteOf } from "@fava/web/testing/fixtures.ts";
import { matchedPush } from "@fava/web/testing/matched-push.ts";
import { beginMeeting, caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { phone, socketOpened } from "../../support/fixture-page.ts";
import { callScreen } from "../../support/people.ts";
import { twoCameras } from "../../support/two-cameras.ts";
import { holdTimers, fireTimers } from "../held-timers.ts";
import { scene, type Stage } from "../scene.ts";
import { allowNotifications, notificationAnswers } from "../notification-steps.ts";

const apart = { controlsApart: true } as const;
const tellable = { ...caller, answers: { ...caller.answers, ...notificationAnswers } };
const women = { ...tellable, stored: { ...caller.stored, filterGender: "2", filterCountry: countryFilter("JP") } };
const twoCameraCaller = { ...caller, before: twoCameras };
const untold = { ...caller, stored: { neverShowRule: "1" } };
const oneCountry = { ...caller, stored: { ...caller.stored, filterCountry: countryFilter("TR") } };

function countryFilter(code: string): string {
  return JSON.stringify({ mode: "country", id: countryOf(code).country_id });
}

/** A match whose connection never opens. */
function unreached(roomId: string) {
  return matchedPush(roomId, { remote: remoteOf("Bo"), media: { role: "answerer", peerOffer: null } });
}

/** The volume of a video is always 1, as on iOS. */
function fixVolume(): void {
  Object.defineProperty(HTMLMediaElement.prototype, "volume", { get: () => 1, set() {} });
}

/** The partner's name stays large. */
function holdMeeting(): void {
  const set = window.setTimeout.bind(window);
  const shownMs = 2_300;
  Object.assign(window, { setTimeout: (run: () => void, ms?: number) => (ms === shownMs ? 0 : set(run, ms)) });
}

/** A search that the server has received: before that its timers restart. */
async function searchHeld({ page, said, world }: Pick<Stage, "page" | "said" | "world">): Promise<void> {
  await holdTimers(page);
  await startSearch(page, said);
  await page.getByRole("heading", { name: said("search.title") }).waitFor();
  await expect.poll(() => world.server.asked("matchStart").length).toBeGreaterThan(0);
}

/** It also opens the reactions in a small window. */
function questionsButton({ page, said }: Pick<Stage, "page" | "said">): Locator {
  const button = (key: "call.askOpen" | "call.reactAsk") => page.getByRole("button", { name: said(key) });
  return button("call.askOpen").or(button("call.reactAsk"));
}

/** Advances only the clock of the page by a minute. */
function passMinute(page: Page): Promise<void> {
  return page.evaluate((ms) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ms;
  }, pausedOfferMs);
}

/** Makes the browser report bad statistics of its connections from now on. */
function weakenOwn(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { prototype } = RTCPeerConnection;
    const ask = Reflect.get(prototype, "getStats") as (this: RTCPeerConnection) => Promise<RTCStatsReport>;
    prototype.getStats = async function () {
      const report = new Map<string, object>(await ask.call(this));
      return report.set("bad", { id: "bad", type: "remote-inbound-rtp", fractionLost: 0.5 });
    };
  });
}

export const callScenes = [
  scene("a search, and a match that fails", tellable, async ({ page, said, show, world }) => {
    await allowNotifications(page);
    await searchHeld({ page, said, world });
    await show("call-searching", apart);
    await fireTimers(page, widenOfferMs);
    await callScreen(page).getByText(said("search.few")).waitFor();
    world.server.socket.say({ type: "told", count: 2 });
    await callScreen(page)
      .getByText(said("search.told", { count: "2" }))
      .waitFor();
    await page.getByRole("button", { name: said("notify.tell") }).waitFor();
    await show("call-few", apart);
    world.server.socket.push(unreached("unreached"));
    await page.getByRole("heading", { name: said("search.found") }).waitFor();
    await show("call-connecting", apart);
    await fireTimers(page, matchTimeoutMs);
    await page.getByRole("heading", { name: said("search.notJoined", { name: "Bo" }) }).waitFor();
    await show("call-not-joined", apart);
  }),

  scene("a search with filters", women, async ({ page, said, show, world }) => {
    await allowNotifications(page);
    await searchHeld({ page, said, world });
    await show("call-searching-filters", apart);
    world.server.socket.say({ type: "told", count: 4 });
    await fireTimers(page, widenOfferMs);
    await page.getByRole("heading", { name: said("search.widen") }).waitFor();
    await page.getByRole("button", { name: said("notify.tell") }).waitFor();
    await show("call-widen", apart);
    await page.getByRole("button", { name: said("search.wait") }).click();
    await callScreen(page).getByText(said("search.widen")).waitFor();
    await show("call-kept-waiting", apart);
  }),

  scene("a search with one filter", oneCountry, async ({ page, said, show, world }) => {
    await searchHeld({ page, said, world });
    await fireTimers(page, widenOfferMs);
    await page.getByRole("heading", { name: said("search.widen") }).waitFor();
    await show("call-widen-one", apart);
  }),

  scene("a search for one person", caller, async ({ page, said, show, world }) => {
    await socketOpened(world.server);
    await holdTimers(page);
    const { user_id, externalId, nickname, avatar } = personOf("Bo");
    const about = { userId: user_id, externalId, nickname, avatar };
    world.server.socket.social({ kind: "meet", ...about, state: "waiting" });
    await page.getByRole("button", { name: said("people.start") }).click();
    await page.getByRole("heading", { name: said("search.waitingFor", { name: "Bo" }) }).waitFor();
    await show("call-waiting-for", apart);
  }),

  scene("a first search, with the notice about frame checks", untold, async ({ page, said, show, world }) => {
    await searchHeld({ page, said, world });
    await page.getByText(said("search.checks")).waitFor();
    await show("call-search-checks", apart);
    const roomId = await meetIn(page, world);
    world.server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
    await page.getByRole("heading", { name: said("search.left", { name: "Bo" }) }).waitFor();
    await show("call-left-checks", apart);
  }),

  scene("a good end of a call", caller, async ({ page, said, show, world }) => {
    world.server.answer({ kindSend: {} });
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    for (let minute = 0; minute < 4; minute += 1) await passMinute(page);
    world.server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
    await page.getByRole("button", { name: said("kind.offer", { name: "Bo" }) }).click();
    const words = page.getByRole("group", { name: said("kind.offer", { name: "Bo" }) });
    await words.waitFor();
    // In a low window they scroll.
    await show("call-left-kind");
    await words.getByRole("button", { name: said("kind.1") }).click();
    await page
      .getByText(said("kind.done", { name: "Bo" }))
      .first()
      .waitFor();
    await show("call-left-kind-sent");
  }),

  scene("reactions and a question for both", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const { socket } = world.server;
    // A small window has one button for reactions and questions.
    const opener = page.getByRole("button", { name: said("call.reactAsk") });
    await opener.or(page.getByRole("button", { name: said("call.react") })).click();
    const row = page.getByRole("group", { name: said("call.react") });
    await row.getByRole("button", { name: said("reaction.party") }).click();
    await row.getByRole("button", { name: said("reaction.heart") }).click();
    for (const reaction of ["laugh", "thumb", "wave", "wow"] as const)
      socket.say({ type: "reaction", roomId, reaction });
    await expect(page.locator('[data-whose="other"] > span')).toHaveCount(4);
    await show("call-reactions");
    socket.say({ type: "two-choice", roomId, question: 19, left_ms: 30_000 });
    const card = page.getByRole("region", { name: said("call.both") });
    await card.getByRole("button", { name: said("either.19.a") }).waitFor();
    await show("call-two-choice");
    await card.getByRole("button", { name: said("either.19.a") }).click();
    await card.getByText(said("search.waitingFor", { name: "Bo" })).waitFor();
    await show("call-two-choice-chosen");
    socket.say({ type: "two-choice", roomId, question: 19, left_ms: 0, choices: { own: 0, other: 1 } });
    await card.getByRole("button", { name: said("call.bothAgain") }).waitFor();
    await show("call-two-choice-both");
  }),

  scene("the first moments of a call", { ...caller, before: holdMeeting }, async ({ page, said, show, world }) => {
    await startSearch(page, said);
    await beginMeeting(page, world, { remote: { shared: { languages: [12], interests: [7, 47] } } });
    await show("call-meeting");
  }),

  scene("a call with its chat, and lines that were changed", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const languages = [12, spokenLanguages.indexOf(signLanguage)];
    const roomId = await meetIn(page, world, { remote: { shared: { languages, interests: [7, 47] } } });
    // On a phone they appear on request.
    if ((page.viewportSize()?.width ?? 0) >= 768)
      await page.getByRole("group", { name: said("call.askTitle") }).waitFor();
    await show("call-begun", apart);
    const questions = questionsButton({ page, said });
    await questions.click();
    await page.getByRole("group", { name: said("call.askTitle") }).waitFor();
    // In a low window they scroll.
    await show("call-questions");
    await questions.click();
    const field = page.getByRole("textbox", { name: said("call.placeholder") });
    const write = async (text: string) => {
      await field.fill(text);
      await field.press("Enter");
    };
    world.server.socket.chat(roomId, "Hello! Where are you?");
    await write("In Berlin, it is raining. And you, on your balcony?");
    world.server.socket.chat(roomId, "Lisbon, and the sun is out");
    await page.getByText("the sun is out").waitFor();
    await show("call-in-call", apart);
    // Being sent, beside a line that cannot wrap.
    world.server.socket.answerLine = () => null;
    await write("Still on its way");
    await field.fill("a".repeat(470));
    await show("call-letters-left", apart);

    const { socket } = world.server;
    socket.answerLine = ({ clientId }) => ({ type: "chat-stored", roomId, clientId, findings: ["phone"] });
    await write("My number is 0171 555 0100");
    await page.getByText(said("covered.onlyDetails")).waitFor();
    socket.answerLine = ({ clientId }) => ({ type: "chat-stored", roomId, clientId, findings: ["abuse"] });
    await write("A rude word");
    await page.getByText(said("covered.own")).waitFor();
    await show("call-lines-covered");
    socket.answerLine = ({ clientId }) => ({ type: "error", code: 400, reason: "refused", clientId });
    await write("This one did not go through");
    await page.getByRole("button", { name: said("common.retry") }).waitFor();
    await show("call-line-failed");
    socket.answerLine = ({ clientId }) => ({ type: "error", code: 406, reason: "abusive", clientId });
    await write("A ruder one");
    await page.getByText(said("call.line.abusive")).waitFor();
    socket.answerLine = ({ clientId }) => ({ type: "error", code: 406, reason: "muted", clientId });
    await write("Anybody there?");
    await page.getByText(said("call.line.muted")).waitFor();
    await show("call-lines-refused");
    world.server.answer({ muteAsk: { due_at: galleryNowMs + 3_600_000 } });
    await page.getByRole("button", { name: said("asked.mutePress") }).click();
    await page.getByText(said("asked.mutePromised")).waitFor();
    await show("words-muted");

    world.server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
    await page.getByRole("heading", { name: said("search.left", { name: "Bo" }) }).waitFor();
    await show("call-left", apart);
  }),

  scene("the exits of a call, its whole video, and the local video in every corner", caller, async (stage) => {
    const { page, said, show, world } = stage;
    await holdTimers(page);
    await startSearch(page, said);
    await meetIn(page, world);
    await page.getByRole("button", { name: said("panic.button") }).click();
    await page.getByText(said("panic.outText", { name: "Bo" })).waitFor();
    await show("call-get-out", apart);
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await page.locator("[data-whole]").waitFor();
    await show("call-whole");
    for (const corner of ["bottom-start", "top-start", "top-end"]) {
      await page.setViewportSize(phone);
      await page.getByRole("button", { name: said("call.moveSelf") }).click();
      await page.locator(`[data-corner="${corner}"]`).waitFor();
      await show(`call-self-${corner}`, apart);
    }
    await page.setViewportSize(phone);
    await page.getByRole("button", { name: said("msg.menu", { name: "Bo" }) }).click();
    await page.getByRole("menuitem", { name: said("people.reportName", { name: "Bo" }) }).waitFor();
    await show("call-menu", { phonesOnly: true });
  }),

  scene("the two cameras of a phone, and one that the system takes away", twoCameraCaller, async (stage) => {
    const { page, said, show, world } = stage;
    await startSearch(page, said);
    await meetIn(page, world);
    await page.getByRole("button", { name: said("call.flip") }).waitFor();
    await show("call-flip", apart);
    await page.evaluate(() => window.muteCamera());
    await page.getByText(said("call.ownPausedText")).first().waitFor({ state: "attached" });
    await show("call-own-camera-paused", apart);
  }),

  scene("a call on a phone whose volume a page cannot set", { ...caller, before: fixVolume }, async (stage) => {
    const { page, said, show, world } = stage;
    await startSearch(page, said);
    await meetIn(page, world);
    await page.getByRole("button", { name: said("call.muteSound") }).waitFor();
    await show("call-no-volume", apart);
    await page.setViewportSize(phone);
    await page.getByRole("button", { name: said("msg.menu", { name: "Bo" }) }).click();
    await page.getByRole("menuitemcheckbox", { name: said("call.muteSound") }).waitFor();
    await show("call-menu-no-volume", { phonesOnly: true });
  }),

  scene("what the partner of a call does, and a lost connection", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const tell = (state: Exclude<MediaState, "playing">) =>
      world.server.socket.say({ type: "peer-media", roomId, state });
    tell("mic_off");
    await page.getByText(said("call.micOff")).waitFor();
    await show("call-other-silent", apart);
    tell("camera_off");
    await page.getByText(said("call.cameraOff", { name: "Bo" })).waitFor();
    await show("call-other-camera-off", apart);
    tell("camera_switching");
    tell("mic_switching");
    await page.getByText(said("call.cameraSwitching", { name: "Bo" })).waitFor();
    await show("call-other-switching", apart);
    tell("mic_off");
    tell("camera_on");
    tell("away");
    await page.getByText(said("call.away", { name: "Bo" })).waitFor();
    await show("call-other-away", apart);
    tell("back");
    await page.getByText(said("call.away", { name: "Bo" })).waitFor({ state: "detached" });
    world.server.socket.say({ type: "peer-quality", roomId, level: 1 });
    await fireTimers(page, weakShownMs);
    await callScreen(page).getByText(said("quality.other")).waitFor();
    await show("call-other-weak", apart);
    world.server.socket.say({ type: "peer-quality", roomId, level: 3 });
    tell("picture_paused");
    await page.getByRole("heading", { name: said("paused.other", { name: "Bo" }) }).waitFor();
    await show("call-other-paused", apart);
    await passMinute(page);
    await page.getByText(said("paused.ask")).waitFor();
    await show("call-other-paused-long", apart);
    tell("mic_on");
    await page.getByText(said("call.micOff")).waitFor({ state: "detached" });
    await weakenOwn(page);
    await page.getByText(said("paused.ownText")).waitFor({ timeout: 30_000 });
    await show("call-both-paused", apart);
    tell("picture_back");
    await page.getByRole("heading", { name: said("paused.other", { name: "Bo" }) }).waitFor({ state: "detached" });
    await passMinute(page);
    await page.getByText(said("paused.ask")).waitFor();
    await show("call-own-paused", apart);
    await page.evaluate(() => window.remotePerson.stall());
    await page.getByRole("heading", { name: said("reconnect.title") }).waitFor();
    await show("call-reconnecting", apart);
    await fireTimers(page, reconnectGiveUpMs);
    await page.getByRole("heading", { name: said("search.lost", { name: "Bo" }) }).waitFor();
    await show("call-lost", apart);
  }),

  scene("the user's own switches in a call", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await startSearch(page, said);
    const controls = page.getByRole("toolbar", { name: said("call.controls") });
    await controls.getByRole("button", { name: said("home.camMute") }).click();
    await page.locator("#call").getByText(said("home.offTitle")).waitFor();
    await show("call-searching-unseen", apart);
    await meetIn(page, world, { remote: { sex: 0, nickname: "Leyla of the long name, who writes" } });
    await controls.getByRole("button", { name: said("home.micMute") }).click();
    await show("call-own-switches-off", apart);
  }),

  scene("a browser that blocks autoplay", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await page.evaluate(() => {
      const { prototype } = HTMLMediaElement;
      const play: unknown = Reflect.get(prototype, "play");
      let isMutedPlayed = true;
      const isRemote = (element: HTMLMediaElement) => element.closest("section[data-status]") !== null;
      prototype.play = function () {
        if (isRemote(this) && !(this.muted && isMutedPlayed))
          return Promise.reject(new DOMException("not allowed", "NotAllowedError"));
        return (play as typeof prototype.play).call(this);
      };
      Object.assign(window, { refuseAll: () => (isMutedPlayed = false) });
    });
    await startSearch(page, said);
    await meetIn(page, world);
    await page.getByRole("button", { name: said("call.hear") }).waitFor();
    await show("call-sound-refused", apart);
    await page.evaluate(() => (window as unknown as { refuseAll: () => void }).refuseAll());
    await page.getByRole("button", { name: said("call.hear") }).click();
    await page.getByRole("button", { name: said("call.play") }).waitFor();
    await show("call-all-refused", apart);
  }),
];
