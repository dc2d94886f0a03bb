import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { chooserPage } from "@fava/server/adapters/identity/sandbox/chooser-page.ts";
import { portraitSvg } from "@fava/server/adapters/identity/sandbox/portrait.ts";
import { codes } from "@fava/wire/codes.ts";
import { Refusal, silence } from "@fava/web/testing/fixture-world.ts";
import { chooseAna, openProvider } from "../../support/provider-window.ts";
import { holdToast } from "../hold-toast.ts";
import { type Scene, scene } from "../scene.ts";

const never = () => new Promise<never>(() => undefined);

export const visitorScenes: readonly Scene[] = [
  scene("a visitor's home screen, languages, sign-in and contact", {}, async ({ page, said, show }) => {
    await page.getByText(said("home.online")).waitFor();
    await show("visitor-home", { inView: [page.getByRole("button", { name: said("home.start") })] });
    await page.getByRole("button", { name: said("home.language") }).click();
    await page.getByRole("menu").waitFor();
    await show("visitor-languages");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: said("login.open") }).click();
    const popup = page.getByRole("dialog", { name: said("login.tagline") });
    await popup.waitFor();
    const inView = ["Google", "Facebook", "Apple"].map((name) =>
      popup.getByRole("button", { name: said("login.with", { name }) }),
    );
    await show("visitor-login", { inView });
    await page.getByRole("button", { name: said("login.contact") }).click();
    await page.getByRole("dialog", { name: said("login.contact") }).waitFor();
    await page.getByText(said("contact.mail")).waitFor();
    await show("visitor-contact");
    await page.getByRole("button", { name: said("common.back") }).click();
    await page.getByRole("button", { name: said("passkeys.codesUse") }).click();
    const recovery = page.getByRole("dialog", { name: said("passkeys.codesUse") });
    await recovery.getByRole("button", { name: said("login.open") }).click();
    await recovery.getByRole("alert").waitFor();
    await show("visitor-recovery");
  }),
  scene("drawn people in motion, and paused", {}, async ({ page, said, show }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.getByRole("button", { name: said("loop.pause") }).click();
    await page.getByRole("button", { name: said("loop.play") }).waitFor();
    await show("visitor-home-paused", { inView: [page.getByRole("button", { name: said("home.start") })] });
  }),
  scene(
    "a visitor sets the filters",
    { stored: { filterGender: "2", filterCountry: '{"mode":"country","id":0}' } },
    async ({ page, said, show }) => {
      await page.getByText(said("price.perMinute")).filter({ visible: true }).waitFor();
      await show("visitor-filters");
    },
  ),
  scene(
    "a sign-in that waits for the provider's window, and one that failed",
    {},
    async ({ page, said, show, world }) => {
      await page.getByRole("button", { name: said("login.open") }).click();
      await page.getByRole("dialog").waitFor();
      const chooser = await openProvider(page, "Google", said);
      await page.getByText(said("login.waiting")).waitFor();
      await show("visitor-login-waiting");
      world.server.answer({ login: new Refusal(codes.badInput) });
      await chooseAna(chooser);
      await holdToast(page);
      await show("visitor-login-failed");
    },
  ),
  scene("a sign-in without an answer", { answers: { login: silence } }, async ({ page, said, show, world }) => {
    world.expectErrors(/ERR_EMPTY_RESPONSE/);
    await chooseAna(await openProvider(page, "Google", said));
    await holdToast(page);
    await show("visitor-server-error");
  }),
  scene("the sandbox's page to choose an account on", {}, async ({ page, said, show }) => {
    await page.context().route(/\/sandbox\/identity[/?]/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const [, name] = /avatars\/(\w+)\.svg$/.exec(pathname) ?? [];
      if (name !== undefined) await route.fulfill({ contentType: "image/svg+xml", body: portraitSvg(name) });
      else if (/chooser\.(?:css|js)$/.test(pathname)) await route.fulfill({ path: chooserFile(pathname) });
      else
        await route.fulfill({
          contentType: "text/html",
          body: chooserPage({ provider: "google", nonce: "nonce" }),
        });
    });
    const opened = page.waitForEvent("popup");
    await page
      .getByRole("button", { name: said("login.with", { name: "Google" }) })
      .last()
      .click();
    const chooserWindow = await opened;
    await expect(chooserWindow.getByRole("button").last()).toBeVisible();
    await show("visitor-sandbox-chooser", { page: chooserWindow });
  }),
  scene("a visitor without a network", {}, async ({ page, said, show, world }) => {
    world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await page.getByText(said("home.online")).waitFor();
    await page.context().setOffline(true);
    await page.locator("#reach").getByText(said("offline.text")).waitFor();
    await show("visitor-offline");
  }),
  scene(
    "a visitor before the first response",
    { answers: { getLanguage: never, countryList: never } },
    async ({ page, said, show }) => {
      await page.getByRole("button", { name: said("login.open") }).click();
      await page.getByRole("button", { name: said("login.contact") }).click();
      await page.getByRole("dialog", { name: said("login.contact") }).waitFor();
      await show("visitor-contact-loading");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.locator("button[aria-labelledby~=home-region]").click();
      await page.getByRole("dialog", { name: said("pref.title") }).waitFor();
      await page.getByRole("dialog").getByRole("radio").last().click();
      await page.getByRole("searchbox").waitFor();
      await show("visitor-countries-loading");
    },
  ),
  scene(
    "a visitor over an unencrypted connection",
    { before: () => Object.defineProperty(window, "isSecureContext", { value: false }) },
    async ({ page, said, show }) => {
      await page.getByText(said("insecure.text")).waitFor();
      await show("visitor-insecure");
    },
  ),
];

function chooserFile(pathname: string): string {
  const file = pathname.split("/").at(-1) ?? "";
  return fileURLToPath(import.meta.resolve(`@fava/server/adapters/identity/sandbox/${file}`));
}
