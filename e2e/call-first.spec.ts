import { expect, type Locator, type Page } from "@playwright/test";
import { mediaFacts, remoteVideo } from "./support/media.ts";
import {
  acceptRules,
  chooseAccount,
  expectCallState,
  expectTogether,
  giveProfile,
  meet,
  startChat,
  test,
} from "./support/people.ts";
import { words } from "./support/words.ts";

test("[MATCH-1] [CALL-5] a first visit leads to a first call, in VP8 both ways", async ({ visitor, person }) => {
  const bo = await person("bo");
  await startChat(bo);
  await expectCallState(bo, "searching");

  const page = await visitor({ devices: "refused" });
  await page.getByRole("button", { name: words("home.start") }).click();
  const login = page.getByRole("dialog", { name: words("login.tagline") });
  const opened = page.waitForEvent("popup");
  await login.getByRole("button", { name: words("login.with", { name: "Google" }) }).click();
  await chooseAccount(await opened, { name: "Wanda" });
  await giveProfile(page, "female");

  const permission = page.getByRole("dialog", { name: words("perm.title") });
  await expect(permission.getByText(words("perm.unseen"))).toBeVisible();
  await page.context().grantPermissions(["camera", "microphone"]);
  await permission.getByRole("button", { name: words("perm.go") }).click();
  await acceptRules(page);

  await expectTogether(page, bo);
  expect(await mediaFacts(page)).toMatchObject({ received: "video/VP8", sent: "video/VP8" });
  expect(await mediaFacts(bo)).toMatchObject({ received: "video/VP8", sent: "video/VP8" });
  await expect(page.locator("[data-match-state]")).toHaveAttribute("data-match-state", "3");
});

test("[CALL-4] [CALL-6] [CHAT-1] a call shows who it is, begins at volume 50, and has a text chat", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);

  const stage = bo.locator("section[data-status]");
  await expect(stage.getByText(words("call.woman"))).toBeAttached();
  await expect(stage.locator("bdi", { hasText: "Ana" })).toBeVisible();
  await expect(stage.getByText("Brazil", { exact: true })).toBeVisible();
  const loaded = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0;
  await expect.poll(() => stage.locator('img[src*="BR"]').evaluate(loaded)).toBe(true);
  await expect.poll(() => stage.locator('img[src*="avatar"]').evaluate(loaded)).toBe(true);
  await expect(ana.locator("section[data-status]").getByText(words("call.man"))).toBeAttached();

  expect(await remoteVideo(ana).evaluate((video: HTMLVideoElement) => video.volume)).toBe(0.5);
  await expect(ana.getByRole("slider", { name: words("call.volume") })).toHaveValue("50");
  await ana.getByRole("slider", { name: words("call.volume") }).fill("80");
  expect(await remoteVideo(ana).evaluate((video: HTMLVideoElement) => video.volume)).toBe(0.8);

  await say(ana, "Olá Bo <b>you</b>");
  await expect(chatOf(bo).getByText("Olá Bo <b>you</b>")).toBeVisible();
  await say(bo, "Hallo Ana");
  await expect(chatOf(ana).getByText("Hallo Ana")).toBeVisible();
  await expect(chatOf(ana).locator('[data-from="me"] [data-state="sent"]')).toHaveText("Olá Bo <b>you</b>");
});

function chatOf(page: Page): Locator {
  return page.getByRole("log", { name: words("call.chat") });
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill(text);
  await field.press("Enter");
  await expect(field).toHaveValue("");
}
