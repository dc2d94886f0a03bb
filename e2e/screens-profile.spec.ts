import { expect, type Page } from "@playwright/test";
import { look, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { drawPicture } from "./support/pictures.ts";
import { words } from "./support/words.ts";
import { beginSession } from "./support/session.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(240_000);

const menuButton = (page: Page) => page.getByRole("button", { name: words("home.account") });

async function choose(page: Page, key: string): Promise<void> {
  await menuButton(page).click();
  await page.getByRole("menuitem", { name: words(key) }).click();
}

test("[UI-31] the own profile is without faults", async ({ visit }) => {
  const page = await visit("/");
  await beginSession(page, { name: "Looks Profile" });
  await menuButton(page).click();
  await look(page, "menu");
  await page.keyboard.press("Escape");
  await choose(page, "menu.profile");
  const sheet = page.getByRole("dialog", { name: words("profile.title") });
  await expect(sheet.getByRole("button", { name: words("photo.addLong") })).toBeVisible();
  await look(page, "profile-empty");
  const file = await drawPicture(page, 640, 800);
  await sheet.locator("input[type=file]").last().setInputFiles(file);
  await expect(sheet.locator("[data-photo]")).toHaveCount(1);
  await sheet
    .locator("input[type=file]")
    .last()
    .setInputFiles(await drawPicture(page, 800, 640));
  await expect(sheet.locator("[data-photo]")).toHaveCount(2);
  await sheet.locator("input[type=file]").first().setInputFiles(file);
  await page.getByRole("dialog", { name: words("crop.title") }).waitFor();
  await look(page, "profile-crop");
  await page.getByRole("button", { name: words("crop.use") }).click();
  await expect(sheet.getByText(words("profile.newWaiting"))).toBeVisible();
  await sheet.getByLabel(words("profile.about")).fill("Cook, cyclist, bad at chess. Call 0770 900 1234");
  await look(page, "profile");
  await page.keyboard.press("Escape");
  await page.getByRole("alertdialog").waitFor();
  await look(page, "profile-discard");
  await page.getByRole("button", { name: words("profile.keepEditing") }).click();
  await sheet.getByRole("button", { name: words("profile.preview") }).click();
  await look(page, "profile-preview");
});

test("[UI-31] an upload under way, and pictures that were refused, are shown without faults", async ({ visit }) => {
  const page = await visit("/");
  await beginSession(page, { name: "Looks Upload" });
  const image = { id: "i1", url: "/flags/DE.svg", thumb: "/flags/DE.svg", width: 300, height: 200 };
  const refused = { ...image, status: "refused", reason_id: 1 };
  const photos = [
    { ...image, status: "approved", reason_id: null },
    { ...refused, id: "i2" },
  ];
  await page.route("**/api/new/photo", (route) =>
    route.fulfill({ json: { code: 200, data: { avatar: { ...refused, id: "i3" }, photos } } }),
  );
  await page.route("**/api/image/upload", () => undefined);
  await choose(page, "menu.profile");
  const sheet = page.getByRole("dialog", { name: words("profile.title") });
  await expect(sheet.locator("[data-photo]")).toHaveCount(2);
  await look(page, "profile-refused");
  await sheet
    .locator("input[type=file]")
    .first()
    .setInputFiles(await drawPicture(page, 640, 800));
  await page.getByRole("button", { name: words("crop.use") }).click();
  await expect(sheet.getByRole("progressbar")).toBeVisible();
  await look(page, "profile-uploading");
  await sheet.getByRole("button", { name: words("profile.stop") }).click();
  await expect(sheet.getByRole("progressbar")).toHaveCount(0);
});

test("[UI-31] account and data, deletion and contact us are without faults", async ({ visit }) => {
  const page = await visit("/");
  await beginSession(page, { name: "Looks Account" });
  await choose(page, "menu.contact");
  await page.getByRole("dialog").waitFor();
  await look(page, "contact-signed-in");
  await page.keyboard.press("Escape");
  await choose(page, "menu.account");
  const sheet = page.getByRole("dialog", { name: words("account.title") });
  await expect(sheet.getByText(words("account.current"))).toBeVisible();
  await look(page, "account");
  await sheet.getByRole("button", { name: words("account.copyBegin") }).click();
  await expect(sheet.getByRole("link", { name: words("account.download") })).toBeVisible({ timeout: 30_000 });
  await look(page, "account-ready");
  await sheet.getByRole("button", { name: words("account.deleteOpen") }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByText(words("account.refundNone"))).toBeVisible();
  await look(page, "account-delete");
  const label = await question.getByText(/Type your number/).innerText();
  await question.getByRole("textbox").fill(label.replaceAll(/\D/g, ""));
  await question.getByRole("button", { name: words("account.deleteOpen") }).click();
  await page.getByRole("alertdialog", { name: words("comeBack.goneTitle") }).waitFor();
  await look(page, "account-gone");
  await page.getByRole("button", { name: words("common.ok") }).click();
  await signInHere(page, { name: "Looks Account" });
  await page.getByRole("alertdialog", { name: words("comeBack.title") }).waitFor();
  await look(page, "come-back");
});

test("[LAYOUT-31] Arabic pictures of profile, account and contact", async ({ visit }) => {
  const said = (key: string) => wordsIn("ar", key);
  const page = await visit("/", { locale: "ar" });
  await signInHere(page, { name: "شخص للصور" });
  await page.getByRole("button", { name: said("common.next") }).click();
  await page.getByRole("button", { name: said("birth.yes") }).click();
  await page.getByRole("radio").last().click();
  await page.getByRole("button", { name: said("common.next") }).click();
  const open = async (key: string) => {
    await page.getByRole("button", { name: said("home.account") }).click();
    await page.getByRole("menuitem", { name: said(key) }).click();
    await page.getByRole("dialog").waitFor();
  };
  await open("menu.profile");
  await page.locator("textarea").fill("طبّاخ وأحب الدراجات. اتصل 0770 900 1234");
  await picture(page, "profile-ar");
  await page.locator("textarea").fill("");
  await page.keyboard.press("Escape");
  await open("menu.account");
  await page.getByText(said("account.current"), { exact: true }).waitFor();
  await picture(page, "account-ar");
  await page.keyboard.press("Escape");
  await open("menu.contact");
  await picture(page, "contact-ar");
});
