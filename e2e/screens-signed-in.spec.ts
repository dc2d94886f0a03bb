import { expect, type Page } from "@playwright/test";
import { look, phone, picture, signInHere, test, wordsIn } from "./support/looks.ts";
import { toasts } from "./support/people.ts";
import { words } from "./support/words.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(240_000);

const start = (page: Page) => page.getByRole("button", { name: words("home.start") });

test("[UI-31] the steps of a new person are without faults", async ({ visit }) => {
  const page = await visit("/");
  await signInHere(page, { name: "Looks One" });
  await page.getByRole("heading", { name: words("birth.title") }).waitFor();
  await look(page, "birthday");
  await page.getByRole("button", { name: words("birth.earlier") }).click();
  await look(page, "birthday-earlier");
  await page.getByRole("button", { name: words("birth.later") }).click();
  await page.getByRole("button", { name: words("common.next") }).click();
  await look(page, "birthday-confirm");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  await page.route("**/api/user/update", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("button", { name: words("birth.yes") }).click();
  await page.getByRole("status").filter({ hasText: /./ }).first().waitFor();
  await look(page, "loading");
  release();
  await page.getByRole("radio", { name: words("gender.female") }).waitFor();
  await look(page, "gender");
  await page.keyboard.press("Escape");

  const young = await visit("/");
  await signInHere(young, { name: "Looks Two" });
  await young.getByLabel(words("birth.year")).selectOption("2015");
  await young.getByRole("button", { name: words("common.next") }).click();
  await young.getByRole("button", { name: words("birth.yes") }).click();
  await young.getByText(words("login.contact")).waitFor();
  await look(young, "under-age");
});

test("[UI-31] the home screen of a signed-in person is without faults", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signInHere(page, "ana");
  await page.getByRole("button", { name: words("home.turnOn") }).waitFor();
  await look(page, "home-off");
  await page.getByRole("button", { name: words("home.account") }).click();
  await look(page, "user-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: words("home.turnOn") }).click();
  await page.getByText(words("home.only")).waitFor();
  await page.getByRole("radio", { name: /Women/ }).click();
  await look(page, "home-live");
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: words("home.devices") }).click();
  await page.screenshot({ path: "test-results/screens/devices-phone-light.png" });
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  await start(page).click();
  await page.getByRole("dialog").waitFor();
  await look(page, "rules");
  await page.getByRole("button", { name: words("rules.ok") }).click();
  await page.getByRole("heading", { name: words("beans.notEnoughTitle") }).waitFor();
  await look(page, "not-enough-beans");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^From/ }).click();
  await look(page, "preferences");
  await page.getByRole("radio", { name: /One country/ }).click();
  await look(page, "preferences-countries");
  await page.getByRole("searchbox").fill("zzz");
  await look(page, "preferences-none");
  await page.getByRole("searchbox").fill("braz");
  await page.getByRole("radio", { name: "Brazil" }).click();
  await look(page, "preferences-chosen");
  await page.getByRole("button", { name: words("common.save") }).click();
  await toasts(page).filter({ hasText: /saved/i }).waitFor();
  await look(page, "toast-default");
});

test("[UI-31] what is said about camera and microphone is without faults", async ({ visit }) => {
  const refused = await visit("/");
  await signInHere(refused, "bo");
  await refused.getByRole("button", { name: words("home.account") }).waitFor();
  await start(refused).click();
  await refused.getByRole("dialog").waitFor();
  await look(refused, "permission");
  await refused.getByRole("button", { name: words("perm.go") }).click();
  await refused.getByRole("heading", { name: words("denied.title") }).waitFor();
  await look(refused, "denied");
  await refused.keyboard.press("Escape");
  await look(refused, "home-denied");

  const asked = await visit("/", {
    before: () => {
      if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined);
    },
  });
  await signInHere(asked, "theo");
  await asked.getByRole("button", { name: words("home.account") }).waitFor();
  await start(asked).click();
  await asked.getByRole("button", { name: words("perm.go") }).click();
  await look(asked, "asking");

  const without = await visit("/", {
    devices: true,
    before: () => {
      // The provider's window, empty at first, has none.
      if (!navigator.mediaDevices) return;
      const real = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
      navigator.mediaDevices.enumerateDevices = async () => (await real()).filter(({ kind }) => kind === "audioinput");
      if (navigator.mediaDevices)
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
    },
  });
  await signInHere(without, "sam");
  await without.getByRole("button", { name: words("home.account") }).waitFor();
  await start(without).click();
  await without.getByRole("heading", { name: words("device.noCamera") }).waitFor();
  await look(without, "missing-devices");
});

test("[UI-31] how a session ends, and what the server says, is without faults", async ({ visit }) => {
  const page = await visit("/");
  await signInHere(page, "mira");
  await page.getByRole("button", { name: words("home.account") }).waitFor();
  const elsewhere = await visit("/");
  await signInHere(elsewhere, "mira");
  await page.getByRole("alertdialog").waitFor();
  await look(page, "kicked");

  const banned = await visit("/");
  await signInHere(banned, "rex");
  await banned.getByRole("alertdialog").waitFor();
  await look(banned, "banned");

  const failing = await visit("/", { expected: /Failed to load resource/ });
  await failing.route("**/api/login", (route) => route.abort());
  await signInHere(failing, "kate");
  await toasts(failing).filter({ hasText: "Server error" }).waitFor();
  await look(failing, "toast-error");
});

test("[LAYOUT-31] Arabic pictures of what a signed-in person sees", async ({ visit }) => {
  const said = (key: string) => wordsIn("ar", key);
  const page = await visit("/", { locale: "ar", devices: true });
  await signInHere(page, { name: "شخص جديد" });
  await page.getByRole("dialog").waitFor();
  await picture(page, "birthday-ar");
  await page.getByRole("button", { name: said("common.next") }).click();
  await page.getByRole("alertdialog").waitFor();
  await picture(page, "birthday-confirm-ar");
  await page.getByRole("button", { name: said("birth.yes") }).click();
  await page.getByRole("radio").first().waitFor();
  await picture(page, "gender-ar");
  await page.getByRole("radio").last().click();
  await page.getByRole("button", { name: said("common.next") }).click();
  await page.getByRole("button", { name: said("home.turnOn") }).click();
  await page.getByText(said("home.only")).waitFor();
  await page.getByRole("radio").nth(1).click();
  await picture(page, "home-live-ar");
  await page.locator("[aria-haspopup=dialog]").last().click();
  await page.getByRole("dialog").waitFor();
  await picture(page, "preferences-ar");
  await page.getByRole("dialog").getByRole("radio").last().click();
  await picture(page, "preferences-countries-ar");
  await page.keyboard.press("Escape");
  await page.getByRole("radio").first().click();
  await page.getByRole("button", { name: said("home.start") }).click();
  await page.getByRole("dialog").waitFor();
  await picture(page, "rules-ar");
  await page.getByRole("button", { name: said("rules.ok") }).click();
  await expect(page.getByText(said("search.title")).first()).toBeVisible();
  await picture(page, "searching-ar");
});
