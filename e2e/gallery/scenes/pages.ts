import { expect, type Page } from "@playwright/test";
import { silence } from "@fava/web/testing/fixture-world.ts";
import { ana, settings } from "@fava/web/testing/fixtures.ts";
import { noTransparency, transparencyReport } from "@fava/web/testing/transparency-fixtures.ts";
import { emptyPath } from "../../support/fixture-page.ts";
import { holdToast } from "../hold-toast.ts";
import { type Scene, scene, withParts } from "../scene.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const helpLines = [
  { name: "Samaritans", phone: "116 123", url: "https://www.samaritans.org/" },
  {
    name: "The Cyber Helpline, for people who are threatened online",
    phone: "",
    url: "https://www.thecyberhelpline.com/",
  },
];

export const pageScenes: readonly Scene[] = [
  ...Object.entries({
    privacy: "/privacyPolicy",
    terms: "/userAgreement",
    rules: "/communityRules",
    accessibility: "/accessibility",
  }).map(([name, path]) =>
    scene(`the text page: ${name}`, { path }, async ({ page, said, show }) => {
      await heading(page).waitFor();
      // When the settings are loaded, the text contains an address.
      await expect(page.getByRole("main")).toContainText(settings.contact.email);
      await show(`pages-${name}`);
      if (name !== "privacy") return;
      await page.getByRole("button", { name: said("page.language") }).click();
      await page.getByRole("menu").waitFor();
      await show("pages-languages");
    }),
  ),
  scene("about us", { path: "/aboutUs" }, async ({ page, show }) => {
    await heading(page).waitFor();
    await show("pages-about");
  }),
  scene("cooperation", { path: "/aboutUs" }, async ({ page, said, show }) => {
    await page.getByRole("button", { name: said("page.contact") }).click();
    await page
      .getByRole("dialog", { name: said("page.cooperation") })
      .getByRole("link")
      .first()
      .waitFor();
    await show("pages-cooperation");
  }),
  scene(
    "cooperation while loading",
    { path: "/aboutUs", answers: { getLanguage: () => new Promise<never>(() => undefined) } },
    async ({ page, said, show }) => {
      await page.getByRole("button", { name: said("page.contact") }).click();
      await page.getByRole("dialog", { name: said("page.cooperation") }).waitFor();
      await show("pages-cooperation-loading");
    },
  ),
  scene("a path that does not exist", { path: "/404" }, async ({ page, show, world }) => {
    world.expectErrors(/404/);
    await heading(page).waitFor();
    await show("pages-not-found");
  }),
  withParts(
    scene("a page that fails to load", { path: emptyPath }, async ({ page, said, show, world }) => {
      // If the page is hydrated before the second attempt has failed, React reports that it renders again (its error
      // 422).
      world.expectErrors(/ERR_FAILED|ChunkLoadError|React error #422/);
      await page.route(/\/assets\/(?:OtherRoutes|LegalPage|NotFound)-.*\.js/, (route) => route.abort());
      await page.goto("/communityRules");
      await page.getByText(said("error.chunk.title")).first().waitFor();
      await show("pages-not-loaded");
      await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: said("error.reload") }).click()]);
    }),
  ),
  scene(
    "the safety centre of a visitor",
    { path: "/safety", answers: { getLanguage: { ...settings, help_lines: helpLines } } },
    async ({ page, said, show }) => {
      await page.getByRole("heading", { name: said("safety.helpLines") }).waitFor();
      await show("pages-safety");
    },
  ),
  scene("the text for the safety centre", { path: "/safety" }, async ({ page, said, show }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText(said("safety.showText")).click();
    await page.getByRole("button", { name: said("safety.copy") }).click();
    await page.getByText(said("safety.copied")).waitFor();
    await show("pages-safety-text");
  }),
  scene(
    "the safety centre of a member",
    { path: "/safety", as: ana, answers: { userSearch: { rows: [], next: null } } },
    async ({ page, said, show, world }) => {
      const send = page.getByRole("button", { name: said("safety.send") });
      await send.waitFor();
      await show("pages-safety-member");
      await page.getByLabel(said("safety.number")).fill("99999999");
      await send.click();
      await page.getByText(said("safety.nobody")).waitFor();
      await show("pages-safety-nobody");
      world.expectErrors(/ERR_EMPTY_RESPONSE/);
      world.server.answer({ userSearch: silence });
      await send.click();
      await page.getByText(said("safety.failed")).waitFor();
      await holdToast(page);
      await show("pages-safety-failed");
    },
  ),
  scene(
    "the figures of transparency, and of a new installation",
    { path: "/transparency", answers: { transparency: transparencyReport } },
    async ({ page, show, world }) => {
      await page.getByRole("table").first().waitFor();
      await show("pages-transparency");
      world.server.answer({ transparency: noTransparency });
      await page.reload();
      await page.getByRole("table").first().waitFor();
      await show("pages-transparency-new");
    },
  ),
  scene(
    "figures of transparency, loading and failed",
    { path: "/transparency", answers: { transparency: () => new Promise<never>(() => undefined) } },
    async ({ page, said, show, world }) => {
      world.expectErrors(/ERR_EMPTY_RESPONSE/);
      await heading(page).waitFor();
      await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "true");
      await show("pages-transparency-loading");
      world.server.answer({ transparency: silence });
      await page.reload();
      await page.getByRole("button", { name: said("common.retry") }).waitFor();
      await show("pages-transparency-failed");
    },
  ),
];
