import { look, openProvider, picture, test, wordsIn } from "./support/looks.ts";
import { words } from "./support/words.ts";

// Each test walks many screens; axe takes its time on each.
test.setTimeout(240_000);

test("[UI-31] what a visitor sees is without faults at both sizes, light and dark", async ({ visit }) => {
  const page = await visit("/", { expected: /ERR_INTERNET_DISCONNECTED/ });
  await page.getByText(words("home.online")).waitFor();
  await look(page, "home-visitor");
  await page.getByRole("button", { name: words("home.language") }).click();
  await look(page, "language-menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: words("login.open") }).click();
  await page.getByRole("dialog").waitFor();
  await look(page, "login");
  await page.getByRole("button", { name: words("login.contact") }).click();
  await look(page, "contact");
  await page.keyboard.press("Escape");
  const chooser = await openProvider(page);
  await look(chooser, "sandbox-chooser");
  await chooser.close();
  await page.context().setOffline(true);
  await page.getByText(words("offline.text")).waitFor();
  await look(page, "offline");
});

test("[UI-31] the pages of text are without faults at both sizes, light and dark", async ({ visit }) => {
  const page = await visit("/aboutUs", { expected: /404/ });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await look(page, "about");
  await page.getByRole("button", { name: words("login.contact") }).click();
  await look(page, "about-cooperation");
  for (const [path, name] of [
    ["/privacyPolicy", "privacy"],
    ["/userAgreement", "terms"],
    ["/communityRules", "rules-page"],
    ["/safety", "safety"],
    ["/accessibility", "accessibility"],
    ["/nowhere", "404"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await look(page, name);
  }
});

test("[LAYOUT-31] Arabic pictures of what a visitor sees", async ({ visit }) => {
  const page = await visit("/", { locale: "ar" });
  await page.locator('html[dir="rtl"]').waitFor();
  await picture(page, "home-visitor-ar");
  await page.getByRole("button", { name: wordsIn("ar", "login.open") }).click();
  await page.getByRole("dialog").waitFor();
  await picture(page, "login-ar");
  for (const [path, name] of [
    ["/privacyPolicy", "privacy-ar"],
    ["/aboutUs", "about-ar"],
    ["/safety", "safety-ar"],
    ["/accessibility", "accessibility-ar"],
    ["/404", "404-ar"],
  ] as const) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await picture(page, name);
  }
});
