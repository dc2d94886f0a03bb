import { expect, type Page } from "@playwright/test";
import { look, picture, test, wordsIn } from "./support/looks.ts";
import { expectCallState, startChat } from "./support/people.ts";
import { markerCamera } from "./support/marker-camera.ts";
import { tellFrames } from "./support/told-frames.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(300_000);
// The test itself says what becomes of the pictures.
test.use({ environment: { MODERATION: "off" } });

const clear = { other: "clear", own: "clear" } as const;

async function signedIn(page: Page, person: string): Promise<void> {
  await beginSession(page, person);
  await page.getByRole("button", { name: words("home.account") }).waitFor();
}

test("[UI-31] what our checks show in a call is without faults", async ({ visit }) => {
  const [page, other] = [
    await visit("/", { devices: true, before: markerCamera }),
    await visit("/", { devices: true, before: markerCamera }),
  ];
  const teller = await tellFrames(page);
  await signedIn(page, "ana");
  await signedIn(other, "bo");
  await startChat(page);
  await startChat(other);
  await expectCallState(page, "in-call");
  const heading = (key: string) => page.getByRole("heading", { name: words(key) });

  await heading("shield.checking").waitFor();
  await look(page, "safety-checking");

  for (const text of ["Hello! Where are you?", "Somewhere quiet. And you?"]) {
    await page.getByRole("textbox").fill(text);
    await page.getByRole("textbox").press("Enter");
  }
  await teller.shield({ other: "hidden", own: "clear" });
  await heading("shield.hidden").waitFor();
  await look(page, "safety-hidden");
  for (const own of ["warned", "covered", "missing"] as const) {
    await teller.shield({ other: "clear", own });
    await page
      .getByText(words(`shield.${own}`, { name: "Bo" }), { exact: true })
      .first()
      .waitFor();
    await look(page, `safety-${own}`);
  }
  await teller.shield(clear);
  await look(page, "safety-clear");
  await page.getByRole("button", { name: words("shield.keep") }).click();
  await heading("shield.kept").waitFor();
  await look(page, "safety-kept");
  await page.getByRole("button", { name: words("shield.show") }).click();

  await page.getByRole("button", { name: words("people.reportName", { name: "Bo" }) }).click();
  await page.getByRole("dialog", { name: words("report.title") }).waitFor();
  await look(page, "safety-report");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.keyboard.press("x");
  await heading("panic.title").waitFor();
  await look(page, "safety-panic");
  await page.getByText(words("panic.sent", { name: "Bo" })).waitFor();
  await look(page, "safety-panic-sent");
});

test("[UI-31] how a call ends by our checks is without faults", async ({ visit }) => {
  const [page, other] = [await visit("/", { devices: true }), await visit("/", { devices: true })];
  const teller = await tellFrames(page);
  await signedIn(page, "theo");
  await signedIn(other, "mia");
  await startChat(page);
  await startChat(other);
  await expectCallState(page, "in-call");
  await teller.shield(clear);
  const roomId = await page.evaluate(() => localStorage.getItem("roomId"));
  await teller.frame({ type: "push", sequence: 1_000, push: { code: 100_002, roomId, reason: "cut" } });
  await page.getByRole("heading", { name: words("shield.cut") }).waitFor();
  await look(page, "safety-cut");

  await page.route("**/api/video/match/start", (route) => {
    const data = { reason: "paused", until: Date.UTC(2026, 10, 22, 9, 30) };
    return route.fulfill({ json: { code: 403, msg: "", data } });
  });
  await page.getByRole("button", { name: words("search.stop") }).click();
  await page.getByRole("button", { name: words("home.start") }).click();
  await page.getByRole("button", { name: words("rules.ok") }).click();
  await page.getByRole("heading", { name: words("shield.pausedTitle") }).waitFor();
  await look(page, "safety-paused");
});

test("[UI-31] a call whose pictures could not be checked ends without faults", async ({ visit }) => {
  const [page, other] = [await visit("/", { devices: true }), await visit("/", { devices: true })];
  const teller = await tellFrames(page);
  await signedIn(page, "lale");
  await signedIn(other, "omar");
  await startChat(page);
  await startChat(other);
  await expectCallState(page, "in-call");
  const roomId = await page.evaluate(() => localStorage.getItem("roomId"));
  const push = { code: 100_006, roomId, type: 2, is_enough: 1, why: "unchecked", meter: null };
  await teller.frame({ type: "push", sequence: 1_000, push });
  await page.getByRole("heading", { name: words("shield.unchecked") }).waitFor();
  await look(page, "safety-unchecked");
});

test("[UI-31] the safety screens read from right to left", async ({ visit }) => {
  const options = { devices: true, locale: "ar", before: markerCamera } as const;
  const [page, other] = [await visit("/", options), await visit("/", options)];
  const teller = await tellFrames(page);
  for (const [one, person] of [
    [page, "theo"],
    [other, "sam"],
  ] as const) {
    await beginSession(one, person);
    await one.getByRole("button", { name: wordsIn("ar", "home.account") }).waitFor();
    await one.getByRole("button", { name: wordsIn("ar", "home.start") }).click();
    await one.getByRole("button", { name: wordsIn("ar", "rules.ok") }).click();
  }
  await expectCallState(page, "in-call");
  await page.getByRole("heading", { name: wordsIn("ar", "shield.checking") }).waitFor();
  await picture(page, "safety-checking-ar");
  await teller.shield({ other: "hidden", own: "warned" });
  await page.getByRole("heading", { name: wordsIn("ar", "shield.hidden") }).waitFor();
  await picture(page, "safety-hidden-ar");
  await page.keyboard.press("x");
  await page.getByRole("heading", { name: wordsIn("ar", "panic.title") }).waitFor();
  await picture(page, "safety-panic-ar");
});
