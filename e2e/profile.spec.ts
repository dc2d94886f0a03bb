import { expect, type Locator, type Page } from "@playwright/test";
import { phone, test } from "./support/looks.ts";
import { expectToast } from "./support/people.ts";
import { colourAt, drawPicture, type PictureFile, turned } from "./support/pictures.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

test.use({ environment: { CONTACT_MESSAGING_LINK: "https://messages.example/fava" } });

const menuButton = (page: Page) => page.getByRole("button", { name: words("home.account") });
const profile = (page: Page) => page.getByRole("dialog", { name: words("profile.title") });
const crop = (page: Page) => page.getByRole("dialog", { name: words("crop.title") });
const save = (page: Page) => profile(page).getByRole("button", { name: words("profile.save") });
const about = (page: Page) => profile(page).getByLabel(words("profile.about"));

async function openProfile(page: Page): Promise<Locator> {
  await menuButton(page).click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  await expect(profile(page).getByRole("button", { name: words("photo.addLong") })).toBeVisible();
  return profile(page);
}

/** Chooses a file for the avatar. */
async function chooseAvatar(page: Page, file: PictureFile): Promise<void> {
  await profile(page).locator("input[type=file]").first().setInputFiles(file);
}

async function addPhoto(page: Page, file: PictureFile): Promise<void> {
  const photos = profile(page).locator("[data-photo]");
  const count = await photos.count();
  await profile(page).locator("input[type=file]").last().setInputFiles(file);
  await expect(photos).toHaveCount(count + 1);
}

test.describe("the own profile", () => {
  test("[USER-50, USER-52] a picture is cropped by pointer, wheel, keys and slider, sent, and waits while the old one stays", async ({
    visit,
  }) => {
    const page = await visit("/");
    await beginSession(page, { name: "Avatar Good" });
    await openProfile(page);
    await chooseAvatar(page, await drawPicture(page, 900, 600));
    await expect(crop(page)).toBeVisible();
    const zoom = crop(page).getByRole("slider");
    await expect(zoom).toHaveValue("0");
    const area = crop(page).getByRole("application");
    await area.hover();
    await page.mouse.wheel(0, -200);
    await expect(zoom).not.toHaveValue("0");
    await area.focus();
    await page.keyboard.press("-");
    await expect(zoom).toHaveValue("0");
    await zoom.fill("60");
    // Down, so that only the red half is left.
    const box = await area.boundingBox();
    if (!box) throw new Error("no crop area");
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 250);
    await page.mouse.up();
    for (let step = 0; step < 20; step += 1) await area.press("ArrowDown");
    const before = await menuButton(page)
      .locator("img")
      .getAttribute("src", { timeout: 1_000 })
      .catch(() => null);
    await crop(page)
      .getByRole("button", { name: words("crop.use") })
      .click();
    await expect(profile(page).getByText(words("profile.newWaiting"))).toBeVisible();
    const shown = profile(page).getByAltText(words("profile.newPicture"));
    const address = (await shown.getAttribute("src")) ?? "";
    expect(await colourAt(page, address, { x: 0.5, y: 0.9 })).toBe("red");
    // Nobody else's picture of this person has changed.
    const after = await menuButton(page)
      .locator("img")
      .getAttribute("src", { timeout: 1_000 })
      .catch(() => null);
    expect(after).toBe(before);
    await page.reload();
    await openProfile(page);
    await expect(profile(page).getByText(words("profile.newWaiting"))).toBeVisible();
    await profile(page)
      .getByRole("button", { name: words("profile.newRemove") })
      .click();
    await expect(profile(page).getByText(words("profile.newWaiting"))).toBeHidden();
  });

  test("[USER-53] a huge file, a fake one and one that is no picture are refused with the reason", async ({
    visit,
  }) => {
    const page = await visit("/");
    await beginSession(page, { name: "Avatar Bad" });
    const sheet = await openProfile(page);
    const good = await drawPicture(page, 40, 40);
    await chooseAvatar(page, { ...good, buffer: Buffer.concat([good.buffer, Buffer.alloc(9 * 1_048_576)]) });
    await expect(sheet.getByText(words("photo.tooLarge"))).toBeVisible();
    await chooseAvatar(page, { name: "fake.jpg", mimeType: "image/jpeg", buffer: Buffer.from("<html>no picture") });
    await expect(sheet.getByText(words("photo.unreadable"))).toBeVisible();
    await chooseAvatar(page, { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") });
    await expect(sheet.getByText(words("photo.notImage"))).toBeVisible();
    await expect(crop(page)).toHaveCount(0);
    await expect(sheet.getByText(words("profile.newWaiting"))).toHaveCount(0);
  });

  test("[USER-51] a picture that the camera held sideways stands upright", async ({ visit }) => {
    const page = await visit("/");
    await beginSession(page, { name: "Avatar Turned" });
    await openProfile(page);
    await addPhoto(page, turned(await drawPicture(page, 800, 400)));
    const address =
      (await profile(page)
        .getByAltText(words("photo.name", { n: "1" }))
        .getAttribute("src")) ?? "";
    expect(await colourAt(page, address, { x: 0.9, y: 0.5 })).toBe("red");
    expect(await colourAt(page, address, { x: 0.1, y: 0.5 })).toBe("blue");
    await chooseAvatar(page, turned(await drawPicture(page, 400, 400)));
    await crop(page)
      .getByRole("button", { name: words("crop.use") })
      .click();
    const shown = profile(page).getByAltText(words("profile.newPicture"));
    const avatar = (await shown.getAttribute("src")) ?? "";
    expect(await colourAt(page, avatar, { x: 0.9, y: 0.5 })).toBe("red");
  });

  test("[USER-58] photos are added, ordered by drag and by their buttons, and removed", async ({ visit }) => {
    const page = await visit("/");
    await beginSession(page, { name: "Photos One" });
    const sheet = await openProfile(page);
    for (const width of [300, 400, 500]) await addPhoto(page, await drawPicture(page, width, 400));
    await expect(sheet.getByText(words("photo.waiting"))).toHaveCount(3);
    const order = () =>
      sheet.locator("[data-photo]").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-photo")));
    const [a, b, c] = await order();
    await sheet.getByRole("button", { name: words("photo.later", { n: "1" }) }).press("Enter");
    await expect.poll(order).toEqual([b, a, c]);
    await expect(sheet.getByRole("button", { name: words("photo.later", { n: "2" }) })).toBeFocused();
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
  });

  test("[USER-55, USER-56, USER-57] about-me warns of a phone number while typing, and is saved without it", async ({
    visit,
  }) => {
    const page = await visit("/");
    await beginSession(page, { name: "About One" });
    const sheet = await openProfile(page);
    await expect(sheet.getByText(words("profile.nothing"))).toBeVisible();
    await about(page).fill("Cook, cyclist. Call 0770 900 1234");
    await expect(sheet.getByText(words("profile.found.phone"))).toBeVisible();
    await expect(save(page)).toHaveAttribute("aria-disabled", "true");
    await save(page).press("Enter");
    await expect(about(page)).toBeFocused();
    await about(page).fill("Cook, cyclist.");
    await expect(sheet.getByText(words("profile.found.phone"))).toBeHidden();
    await sheet.getByLabel(words("profile.location")).fill("Bristol");
    await save(page).click();
    await expectToast(page, "profile.saved");
    await about(page).fill(" ");
    await expect(sheet.getByText(words("profile.aboutEmpty"))).toBeVisible();
    await expect(save(page)).toHaveAttribute("aria-disabled", "true");
    await page.reload();
    await openProfile(page);
    await expect(about(page)).toHaveValue("Cook, cyclist.");
    await expect(sheet.getByLabel(words("profile.location"))).toHaveValue("Bristol");
  });

  test("[USER-57] what only the server finds stands beside its field", async ({ visit }) => {
    const page = await visit("/");
    await beginSession(page, { name: "About Two" });
    const sheet = await openProfile(page);
    await page.route("**/api/user/update", (route) =>
      route.fulfill({
        json: { code: 406, data: { reason: "personal_data", field: "about", findings: ["account_number"] }, msg: "no" },
      }),
    );
    await about(page).fill("Something that only the server knows");
    await save(page).click();
    await expect(sheet.getByText(words("profile.found.account_number"))).toBeVisible();
    await page.unroute("**/api/user/update");
    await about(page).fill("Something else");
    await expect(sheet.getByText(words("profile.found.account_number"))).toBeHidden();
    await save(page).click();
    await expectToast(page, "profile.saved");
  });

  test("[USER-59, USER-60, USER-61] facts are text, the name says when it can change again, and nothing is lost unasked", async ({
    visit,
  }) => {
    const page = await visit("/");
    await beginSession(page, { name: "Facts One" });
    const sheet = await openProfile(page);
    const facts = sheet.getByRole("region", { name: words("profile.facts") });
    await expect(facts.getByText("May 15, 1995")).toBeVisible();
    await expect(facts.getByRole("textbox")).toHaveCount(0);
    await sheet.getByLabel(words("profile.name")).fill("Facts Two");
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog", { name: words("profile.discardTitle") });
    await question.getByRole("button", { name: words("profile.keepEditing") }).click();
    await expect(sheet.getByLabel(words("profile.name"))).toHaveValue("Facts Two");
    await save(page).click();
    await expectToast(page, "profile.saved");
    await expect(sheet.getByText(words("profile.nameNext"))).toBeVisible();
    await expect(sheet.getByRole("textbox", { name: words("profile.name") })).toHaveCount(0);
    await sheet.getByRole("switch", { name: words("profile.searchable") }).uncheck();
    await sheet.getByRole("button", { name: words("profile.preview") }).click();
    const preview = page.getByRole("dialog", { name: words("profile.preview") });
    await expect(preview.getByText("Facts Two")).toBeVisible();
    await expect(preview.getByText(words("profile.previewNoAbout"))).toBeVisible();
    await preview.getByRole("button", { name: words("common.back") }).click();
    await sheet.getByRole("button", { name: words("common.close") }).click();
    await question.getByRole("button", { name: words("profile.discard") }).click();
    await expect(sheet).toBeHidden();
    await openProfile(page);
    await expect(sheet.getByRole("switch", { name: words("profile.searchable") })).toBeChecked();
  });
});

test("[USER-72] the user menu is complete on a desktop and on a phone", async ({ visit }) => {
  const page = await visit("/");
  await beginSession(page, { name: "Menu One" });
  const keys = ["profile", "people", "blocked", "beans", "account", "contact", "safety", "terms", "privacy", "signOut"];
  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    await page.setViewportSize(viewport);
    await menuButton(page).click();
    const items = page.getByRole("menuitem");
    await expect(items).toHaveCount(keys.length);
    const isPhone = viewport === phone;
    for (const [index, key] of keys.entries()) {
      await expect(items.nth(index)).toContainText(new RegExp(words(`menu.${key}`).source.slice(1, -1)));
      await items.nth(index).scrollIntoViewIfNeeded();
      await expect(items.nth(index)).toBeInViewport({ ratio: 0.99 });
    }
    const terms = page.getByRole("menuitem", { name: /^Terms/ });
    if (isPhone) await expect(terms).not.toHaveAttribute("target");
    else await expect(terms).toHaveAttribute("target", "_blank");
    await expect(page.getByRole("menuitemradio")).toHaveCount(3);
    await page.keyboard.press("Escape");
    await expect(items).toHaveCount(0);
  }
});

test("[USER-70, USER-71] contact us: hours here and in GMT, mail, app, and the official account's conversation", async ({
  visit,
}) => {
  const page = await visit("/", { timezoneId: "America/New_York" });
  await beginSession(page, { name: "Contact One" });
  for (const viewport of [phone, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport);
    await menuButton(page).click();
    await page.getByRole("menuitem", { name: words("menu.contact") }).click();
    const contact = page.getByRole("dialog", { name: words("login.contact") });
    await expect(contact.getByText(words("contact.hoursText"))).toBeVisible();
    await expect(contact.getByText("Sunday to Thursday, 21:00 to 05:00 the next day, your time")).toBeVisible();
    await expect(contact.getByRole("button", { name: /^Copy/ })).toHaveCount(1);
    await expect(contact.getByRole("link", { name: /^Open/ })).toHaveAttribute("target", "_blank");
    expect(await contact.evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBeLessThanOrEqual(0);
    await contact.getByRole("button", { name: words("contact.write") }).click();
    await expect(contact).toBeHidden();
    await expect(
      page.getByRole("main", { name: words("msg.title") }).getByRole("region", { name: "Fava" }),
    ).toBeVisible();
    await page.reload();
    await expect(menuButton(page)).toBeVisible();
  }
});
