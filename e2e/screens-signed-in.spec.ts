import { expect, type Page } from "@playwright/test";
import { look, picture, signIn, test, wordsOf } from "./support/looks.ts";

const start = (page: Page) => page.getByRole("button", { name: "Start video chat" });

test("[UI-31] the steps of a new person are without faults", async ({ visit }) => {
  const page = await visit("/");
  await signIn(page, { name: "Looks One" });
  await page.getByRole("heading", { name: "When were you born?" }).waitFor();
  await look(page, "birthday");
  await page.getByRole("button", { name: "Earlier years" }).click();
  await look(page, "birthday-earlier");
  await page.getByRole("button", { name: "Later years" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await look(page, "birthday-confirm");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => void (release = resolve));
  await page.route("**/api/user/update", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("alertdialog").getByRole("button").last().click();
  await page.getByRole("status").filter({ hasText: /./ }).first().waitFor();
  await look(page, "loading");
  release();
  await page.getByRole("radio", { name: "Female" }).waitFor();
  await look(page, "gender");
  await page.keyboard.press("Escape");

  const young = await visit("/");
  await signIn(young, { name: "Looks Two" });
  await young.getByLabel("Year").selectOption("2015");
  await young.getByRole("button", { name: "Next" }).click();
  await young.getByRole("alertdialog").getByRole("button").last().click();
  await young.getByText("Contact us").waitFor();
  await look(young, "under-age");
});

test("[UI-31] the home screen of a signed-in person is without faults", async ({ visit }) => {
  const page = await visit("/", { devices: true });
  await signIn(page, { person: "ana" });
  await page.getByRole("button", { name: "Turn on camera" }).waitFor();
  await look(page, "home-off");
  await page.getByRole("button", { name: "Account menu" }).click();
  await look(page, "user-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /bean/ }).click();
  await look(page, "balance");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Turn on camera" }).click();
  await page.getByText("Only you can see this").waitFor();
  await page.getByRole("radio", { name: /Women/ }).click();
  await look(page, "home-live");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Choose devices" }).click();
  await page.screenshot({ path: "test-results/screens/devices-phone-light.png" });
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1440, height: 900 });
  await start(page).click();
  await page.getByRole("dialog").waitFor();
  await look(page, "rules");
  await page.getByRole("button", { name: "Got it" }).click();
  await page.getByRole("heading", { name: /not enough|enough beans/i }).waitFor();
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
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("status").filter({ hasText: /saved/i }).waitFor();
  await look(page, "toast-default");
});

test("[UI-31] what is said about camera and microphone is without faults", async ({ visit }) => {
  const refused = await visit("/");
  await signIn(refused, { person: "bo" });
  await start(refused).click();
  await refused.getByRole("dialog").waitFor();
  await look(refused, "permission");
  await refused.getByRole("button", { name: "Continue" }).click();
  await refused.getByRole("heading", { name: /blocked|blocks/i }).last().waitFor();
  await look(refused, "denied");
  await refused.keyboard.press("Escape");
  await look(refused, "home-denied");

  const asked = await visit("/", {
    before: () => {
      navigator.mediaDevices.getUserMedia = () => new Promise(() => undefined);
    },
  });
  await signIn(asked, { person: "theo" });
  await start(asked).click();
  await asked.getByRole("button", { name: "Continue" }).click();
  await look(asked, "asking");

  const without = await visit("/", {
    devices: true,
    before: () => {
      const real = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
      navigator.mediaDevices.enumerateDevices = async () => (await real()).filter(({ kind }) => kind === "audioinput");
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
    },
  });
  await signIn(without, { person: "sam" });
  await start(without).click();
  await without.getByRole("dialog").waitFor();
  await look(without, "missing-devices");
});

test("[UI-31] how a session ends, and what the server says, is without faults", async ({ visit }) => {
  const page = await visit("/");
  await signIn(page, { person: "mira" });
  await page.getByRole("button", { name: "Account menu" }).waitFor();
  const elsewhere = await visit("/");
  await signIn(elsewhere, { person: "mira" });
  await page.getByRole("alertdialog").waitFor();
  await look(page, "kicked");

  const banned = await visit("/");
  await signIn(banned, { person: "rex" });
  await banned.getByRole("alertdialog").waitFor();
  await look(banned, "banned");

  const failing = await visit("/", { expected: /Failed to load resource/ });
  await failing.route("**/api/login", (route) => route.abort());
  await signIn(failing, { person: "kate" });
  await failing.getByRole("alert").filter({ hasText: "Server error" }).waitFor();
  await look(failing, "toast-error");
});

test("[LAYOUT-31] Arabic pictures of what a signed-in person sees", async ({ visit }) => {
  const words = wordsOf("ar");
  const page = await visit("/", { locale: "ar", devices: true });
  await signIn(page, { name: "شخص جديد" });
  await page.getByRole("dialog").waitFor();
  await picture(page, "birthday-ar");
  await page.getByRole("button", { name: words["common.next"] ?? "" }).click();
  await page.getByRole("alertdialog").waitFor();
  await picture(page, "birthday-confirm-ar");
  await page.getByRole("button", { name: words["birth.yes"] ?? "" }).click();
  await page.getByRole("radio").first().waitFor();
  await picture(page, "gender-ar");
  await page.getByRole("radio").last().click();
  await page.getByRole("button", { name: words["common.next"] ?? "" }).click();
  await page.getByRole("button", { name: words["home.turnOn"] ?? "" }).click();
  await page.getByText(words["home.only"] ?? "").waitFor();
  await page.getByRole("radio").nth(1).click();
  await picture(page, "home-live-ar");
  await page.locator("[aria-haspopup=dialog]").last().click();
  await page.getByRole("dialog").waitFor();
  await picture(page, "preferences-ar");
  await page.getByRole("dialog").getByRole("radio").last().click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await picture(page, "preferences-countries-ar");
  await page.keyboard.press("Escape");
  await page.getByRole("radio").first().click();
  await page.getByRole("button", { name: words["home.start"] ?? "" }).click();
  await page.getByRole("dialog").waitFor();
  await picture(page, "rules-ar");
  await page.getByRole("button", { name: words["rules.ok"] ?? "" }).click();
  await expect(page.getByText(words["search.title"] ?? "").first()).toBeVisible();
  await picture(page, "searching-ar");
});
