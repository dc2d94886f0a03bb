import { expect, type Page } from "@playwright/test";
import { addPhotos, openDesk } from "../support/desk-person.ts";
import { callAs, selfOf } from "../support/friends.ts";
import { test } from "../support/people.ts";
import type { PictureFile } from "../support/pictures.ts";
import { words } from "../support/words.ts";

/** A PNG with enough in it to be recognized by its hash. */
async function chequered(page: Page): Promise<PictureFile> {
  const address = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d");
    for (let square = 0; square < 48; square += 1) {
      if (context) context.fillStyle = `hsl(${square * 53} 70% ${20 + ((square * 37) % 60)}%)`;
      context?.fillRect((square % 8) * 80, Math.floor(square / 8) * 80, 80, 80);
    }
    return canvas.toDataURL("image/png");
  });
  return { name: "picture.png", mimeType: "image/png", buffer: Buffer.from(address.split(",")[1] ?? "", "base64") };
}

/** A photo of the owner that a moderator has approved; returns its address. */
async function shownPhoto(owner: Page, moderator: Page, file: PictureFile): Promise<string> {
  await addPhotos(owner, [file]);
  const [{ user_id: ownerId }, { user_id }] = [await selfOf(owner), await selfOf(moderator)];
  const { rows } = await callAs(moderator, "/admin/user/image/list", { user_id });
  const row = (rows as { id: string; user_id: number }[]).find((one) => one.user_id === ownerId);
  await callAs(moderator, "/admin/user/image/operate", { user_id, id: row?.id ?? "", operation: 1 });
  const { photos } = await callAs(owner, "/api/new/photo", { user_id: ownerId });
  return (photos as { url: string }[])[0]?.url ?? "";
}

test("hides a named picture until a moderator upholds the notice, and tells the sender", async ({
  person,
  visitor,
}) => {
  const [ben, mia, sender] = [await person({ name: "Ben Notice" }), await person("mia"), await visitor()];
  const file = await chequered(sender);
  const address = await shownPhoto(ben, mia, file);
  const isShown = async () => (await sender.request.get(address)).status() === 200;
  expect(await isShown()).toBe(true);

  await sender.goto("/safety");
  await sender.getByRole("link", { name: words("safety.removalAsk") }).click();
  await sender.locator("input[value=intimate]").check();
  await sender.getByLabel(words("notice.text")).fill("This picture shows me.");
  await sender.getByLabel(words("notice.picture"), { exact: true }).fill(new URL(address, sender.url()).href);
  await sender.locator("input[type=file]").setInputFiles(file);
  await expect(sender.getByText(words("notice.hashReady"))).toBeVisible();
  await sender.getByLabel(words("notice.signature")).fill("Ana Example");
  await sender.getByLabel(words("notice.email")).fill("ana@example.com");
  await sender.getByRole("checkbox", { name: words("notice.faith") }).check();
  await sender.getByRole("button", { name: words("notice.send") }).click();
  await expect(sender.getByText(words("notice.hidden"))).toBeVisible();
  expect(await isShown()).toBe(false);

  await openDesk(mia, "/reportReview/notices");
  await mia.keyboard.press("j");
  await expect(mia.getByText(/ana@example\.com/)).toBeVisible();
  await expect(mia.getByRole("checkbox")).toBeChecked();
  await mia.keyboard.press("1");
  await mia.getByLabel(words("desk.notice.reason")).fill("We removed it.");
  await mia.keyboard.press("Control+Enter");
  await expect(mia.getByText(words("desk.notice.did.1"))).toBeVisible();
  await openDesk(mia, "/reportReview/figures");
  await expect(async () => {
    await sender.reload();
    await expect(sender.getByText("We removed it.")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  expect(await isShown()).toBe(false);
  const { photos } = await callAs(ben, "/api/new/photo", { user_id: (await selfOf(ben)).user_id });
  expect(photos).toEqual([]);
});
