import { expect, type Locator, type Page } from "@playwright/test";
import { expectSoundPlays, mediaFacts, remoteVideo } from "./media.ts";
import { callScreen, expectCallState, expectTogether, startChat } from "./people.ts";
import { words } from "./words.ts";

/** The sandbox's Ana and Bo meet, see each other's card, hear each other and chat. */
export async function expectFirstCall(ana: Page, bo: Page): Promise<void> {
  await startChat(bo);
  await expectCallState(bo, "searching");
  await expect(callScreen(bo)).toHaveAttribute("data-match-state", "1");
  await startChat(ana);
  await expectTogether(ana, bo);
  for (const page of [ana, bo]) {
    expect(await mediaFacts(page)).toMatchObject({ received: "video/VP8", sent: "video/VP8" });
    await expect(callScreen(page)).toHaveAttribute("data-match-state", "3");
    await expectSoundPlays(page);
  }

  // The plate alone: in the first moments the name stands large on the video as well.
  const card = bo.locator("section[data-status] [data-fades]").first();
  await expect(card.getByText(words("call.woman"))).toBeAttached();
  await expect(card.locator("bdi", { hasText: "Ana" })).toBeVisible();
  await expect(card.getByText("Brazil", { exact: true })).toBeVisible();
  const loaded = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0;
  await expect.poll(() => card.locator('img[src*="BR"]').evaluate(loaded)).toBe(true);
  await expect.poll(() => card.locator('img[src*="avatar"]').evaluate(loaded)).toBe(true);
  await expect(ana.locator("section[data-status]").getByText(words("call.man"))).toBeAttached();

  const volume = ana.getByRole("slider", { name: words("call.volume") });
  const heard = () => remoteVideo(ana).evaluate((video: HTMLVideoElement) => video.volume);
  await expect(volume).toHaveValue("50");
  expect(await heard()).toBe(0.5);
  await volume.fill("80");
  expect(await heard()).toBe(0.8);

  await say(ana, "Olá Bo <b>you</b>");
  await expect(chatOf(bo).getByText("Olá Bo <b>you</b>")).toBeVisible();
  await say(bo, "Hallo Ana");
  await expect(chatOf(ana).getByText("Hallo Ana")).toBeVisible();
  await expect(chatOf(ana).locator('[data-from="me"] [data-state="sent"]')).toHaveText("Olá Bo <b>you</b>");
}

function chatOf(page: Page): Locator {
  return page.getByRole("log", { name: words("call.chat") });
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: words("call.placeholder") });
  await field.fill(text);
  await field.press("Enter");
  await expect(field).toHaveValue("");
}
