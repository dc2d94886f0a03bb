import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "../support/people.ts";
import { colourAt, drawPicture, type PictureFile, turned } from "../support/pictures.ts";
import { words } from "../support/words.ts";

const profile = (page: Page) => page.getByRole("dialog", { name: words("profile.title") });
const crop = (page: Page) => page.getByRole("dialog", { name: words("crop.title") });
const photos = (page: Page) => profile(page).locator("[data-photo]");

async function openProfile(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  await expect(profile(page).getByRole("button", { name: words("photo.addLong") })).toBeVisible();
  return profile(page);
}

async function addPhoto(page: Page, file: PictureFile): Promise<void> {
  const count = await photos(page).count();
  await profile(page).locator("input[type=file]").last().setInputFiles(file);
  await expect(photos(page)).toHaveCount(count + 1);
}

/** The address at which the server shows an image to its owner. */
async function addressOf(sheet: Locator, name: RegExp): Promise<string> {
  return (await sheet.getByAltText(name).getAttribute("src")) ?? "";
}

test(
  "crops a picture, sends it upright, and keeps the old one until the review",
  { tag: "@firefox-deep" },
  async ({ person }) => {
    const page = await person({ name: "Avatar Story" });
    const sheet = await openProfile(page);
    await sheet
      .locator("input[type=file]")
      .first()
      .setInputFiles(turned(await drawPicture(page, 600, 900)));
    await expect(crop(page)).toBeVisible();
    await crop(page).getByRole("slider").fill("60");
    // To the right, so that only the red half of the rotated image is left.
    const area = crop(page).getByRole("application");
    for (let step = 0; step < 20; step += 1) await area.press("ArrowLeft");
    const shownToOthers = page.getByRole("button", { name: words("home.account") }).locator("img");
    const before = await shownToOthers.evaluateAll((images) => images.map((image) => image.getAttribute("src")));
    await crop(page)
      .getByRole("button", { name: words("crop.use") })
      .click();
    await expect(sheet.getByText(words("profile.newWaiting"))).toBeVisible();
    expect(await colourAt(page, await addressOf(sheet, words("profile.newPicture")), { x: 0.1, y: 0.5 })).toBe("red");
    const after = await shownToOthers.evaluateAll((images) => images.map((image) => image.getAttribute("src")));
    expect(after).toEqual(before);
    await page.reload();
    await openProfile(page);
    await expect(sheet.getByText(words("profile.newWaiting"))).toBeVisible();
    await sheet.getByRole("button", { name: words("profile.newRemove") }).click();
    await expect(sheet.getByText(words("profile.newWaiting"))).toBeHidden();
  },
);

test(
  "shows photos upright, orders them by drag and by buttons, and removes them",
  { tag: "@deep" },
  async ({ person }) => {
    const page = await person({ name: "Photos Story" });
    const sheet = await openProfile(page);
    await addPhoto(page, turned(await drawPicture(page, 800, 400)));
    const address = await addressOf(sheet, words("photo.name", { n: "1" }));
    expect(await colourAt(page, address, { x: 0.9, y: 0.5 })).toBe("red");
    expect(await colourAt(page, address, { x: 0.1, y: 0.5 })).toBe("blue");
    for (const width of [400, 500]) await addPhoto(page, await drawPicture(page, width, 400));
    await expect(sheet.getByText(words("photo.waiting"))).toHaveCount(3);
    const order = () => photos(page).evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-photo")));
    const [a, b, c] = await order();
    await sheet.getByRole("button", { name: words("photo.later", { n: "1" }) }).press("Enter");
    await expect.poll(order).toEqual([b, a, c]);
    await sheet
      .getByAltText(words("photo.name", { n: "3" }))
      .dragTo(sheet.getByAltText(words("photo.name", { n: "1" })));
    await expect.poll(order).toEqual([c, b, a]);
    await page.reload();
    await openProfile(page);
    await expect.poll(order).toEqual([c, b, a]);
    await sheet.getByRole("button", { name: words("photo.remove", { n: "2" }) }).click();
    await expect.poll(order).toEqual([c, a]);
    await page.reload();
    await openProfile(page);
    await expect.poll(order).toEqual([c, a]);
  },
);
