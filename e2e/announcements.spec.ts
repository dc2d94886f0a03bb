import { expect } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
import { giveBeans, wishForWomen } from "./support/beans.ts";
import { markerCamera, showMarker } from "./support/marker-camera.ts";
import { openFromList } from "./support/messages-panel.ts";
import { expectCallState, expectToast, meet, signIn, startChat, test, toasts } from "./support/people.ts";
import { expectSaid, saidOn, watchSaid } from "./support/said.ts";
import { words } from "./support/words.ts";

test.setTimeout(180_000);
test.use({ environment: { MODERATION: "marker" } });

/** What both need: the marker camera, and an ear at the regions. */
const heard = { before: { content: `(${watchSaid.toString()})(); (${markerCamera.toString()})();` } };

test("[A11Y-11] a search, with whom one was matched, what became of the picture, and that they left are said once each", async ({
  person,
}) => {
  const [ida, jon] = await Promise.all([person({ name: "Ida Hears" }, heard), person({ name: "Jon Leaves" }, heard)]);
  await meet(ida, jon);
  await expectSaid(ida, "polite: Looking for someone");
  await expect
    .poll(async () => (await saidOn(ida)).filter((line) => /^polite: Matched with Jon Leaves, \S/.test(line)).length)
    .toBe(1);
  await expect(ida.getByRole("heading", { name: words("shield.checking") })).toBeHidden();
  // Checked before it could be seen, it needs no words; otherwise it has had them by now.
  const shown = "polite: The picture is checked and shown";
  const atFirst = (await saidOn(ida)).filter((line) => line === shown).length;
  await showMarker(jon, "unsure");
  await expectSaid(
    ida,
    "polite: Hidden for your safety. Our check is unsure about this picture. Sound and chat still work.",
  );
  await showMarker(jon, "none");
  await expectSaid(ida, shown, atFirst + 1);
  await jon.keyboard.press("Escape");
  await expectCallState(ida, "searching");
  await expectSaid(ida, "polite: Jon Leaves left. Looking for the next person");
  // Nothing of the page says the same once more.
  await expect(ida.locator("[data-match-state]").locator('[role="status"], [role="alert"], output')).toHaveCount(0);
});

test("[A11Y-11] low beans are said when the countdown begins, and not every second", async ({ person }) => {
  const [payer, other] = await Promise.all([
    person({ name: "Low Hears" }, heard),
    person({ name: "Low Other" }, heard),
  ]);
  await giveBeans(payer, 1_600);
  await wishForWomen(payer);
  await startChat(payer);
  await startChat(other);
  await expectCallState(payer, "in-call");
  const countdowns = async () => (await saidOn(payer)).filter((line) => line.startsWith("polite: Video ends in"));
  await expect.poll(async () => (await countdowns()).length, { timeout: 40_000 }).toBe(1);
  // Three seconds of the visible countdown add nothing.
  const bar = payer.getByText(/^Video ends in \d+ seconds/).first();
  const first = await bar.innerText();
  await expect(bar).not.toHaveText(first, { timeout: 5_000 });
  expect(await countdowns()).toHaveLength(1);
});

test("[A11Y-11] a message says from whom it is, and nothing where the open log says it", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Hears" }, heard), person({ name: "Bo Says" }, heard)]);
  await befriend(ana, bo);
  const [own, other] = await Promise.all([selfOf(ana), selfOf(bo)]);
  const say = (id: string) =>
    callAs(bo, "/api/message/send", {
      user_id: other.user_id,
      externalId: own.externalId,
      client_id: id,
      text: `hello ${id}`,
    });
  await say("one");
  await expectSaid(ana, "polite: New message from Bo Says");
  await openFromList(ana, "Bo Says");
  await say("two");
  await expect(ana.getByRole("log").getByText("hello two")).toBeVisible();
  await expectSaid(ana, "polite: New message from Bo Says");
});

test("[A11Y-10] an error is said at once, other notices politely, each by one region alone", async ({ visitor }) => {
  const page = await visitor(heard);
  await page.route("**/api/login", (route) => route.abort());
  await signIn(page, { name: "Ivo Hears" });
  await expect(toasts(page)).toHaveText(/Server error/);
  await expectSaid(page, "assertive: Server error");
  await page.getByRole("button", { name: /^From/ }).click();
  await page.getByRole("button", { name: words("common.save") }).click();
  await expectToast(page, "pref.saved");
  await expect.poll(async () => (await saidOn(page)).filter((line) => line.startsWith("polite: "))).toHaveLength(1);
  await expect(page.locator("[data-toasts]")).toHaveAttribute("aria-live", "off");
  await expect(toasts(page).and(page.locator("[role], [aria-live]"))).toHaveCount(0);
  await expect(page.locator("[data-toasts]").locator('[role="status"], [role="alert"], output')).toHaveCount(0);
});
