import { accountInfo } from "@fava/web/testing/account-fixtures.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { installFakeTranslation } from "@fava/web/testing/fake-translation.ts";
import { conversationOf, Inbox } from "@fava/web/testing/message-fixtures.ts";
import { expect, type Page } from "@playwright/test";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import type { OpenOptions } from "../../support/fixture-page.ts";
import { holdTimers } from "../held-timers.ts";
import { openMessages, openThread } from "../messages-steps.ts";
import { chooseInMenu } from "../people-steps.ts";
import { type Scene, scene } from "../scene.ts";

const hello = "Merhaba! Bugün nasılsın?";
const story = "Dün akşam deniz kenarında yürüdüm, hava çok güzeldi ve herkes dışarıdaydı. Sen neler yaptın?";
const french = "On se parle ce soir ?";
const texts = {
  [hello]: ["tr", { en: "Hello! How are you today?", ar: "مرحبًا! كيف حالك اليوم؟" }],
  [story]: [
    "tr",
    {
      en: "Last night I walked along the sea, the weather was lovely and everyone was outside. What did you do?",
      ar: "مشيت مساء أمس على شاطئ البحر، وكان الجو جميلًا جدًا والجميع في الخارج. ماذا فعلت أنت؟",
    },
  ],
  [french]: ["fr", { en: "Shall we talk tonight?", ar: "هل نتحدث الليلة؟" }],
} as const;

const byServer: OpenOptions = {
  ...caller,
  answers: {
    ...caller.answers,
    textTranslate: ({ target }) => ({ text: texts[hello][1][target === "ar" ? "ar" : "en"], from: "tr" }),
  },
};
const noPack = { texts, packs: { tr: "downloadable" } } as const;

/** A download does not end before. */
async function finishDownload(page: Page): Promise<void> {
  await page.evaluate(() => window.fakeTranslation?.finishDownload());
}

function inbox(): Inbox {
  const messages = new Inbox(() => galleryNowMs);
  messages.add(conversationOf("Bo"), [hello, ["me", "good, thanks! and you?"], story, ["me", "I cooked"], french]);
  return messages;
}

export const translationScenes: readonly Scene[] = [
  scene("lines of a call that the browser translates", caller, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await page.evaluate(installFakeTranslation, noPack);
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    const log = page.getByRole("log");
    world.server.socket.chat(roomId, hello);
    const offer = log.getByRole("button").filter({ hasText: /\S/ });
    await offer.waitFor();
    await show("translation-line-offer", { controlsApart: true });
    await offer.click();
    await log.getByRole("button", { name: said("common.cancel") }).waitFor();
    await show("translation-line-loading", { controlsApart: true });
    await finishDownload(page);
    const original = log.getByRole("button", { name: said("translate.original") });
    await original.waitFor();
    world.server.socket.chat(roomId, story);
    await expect(original).toHaveCount(2);
    await show("translation-line", { controlsApart: true });
    await original.first().click();
    await log.getByRole("button", { name: said("translate.again") }).waitFor();
    await show("translation-line-original", { controlsApart: true });
  }),
  scene("a line that the operator's translator translates", byServer, async ({ page, said, show, world }) => {
    await holdTimers(page);
    await page.evaluate(() => {
      Object.defineProperty(globalThis, "Translator", { configurable: true, value: undefined });
      document.querySelector('meta[name="translator"]')?.setAttribute("content", "LibreTranslate");
    });
    await startSearch(page, said);
    const roomId = await meetIn(page, world);
    world.server.socket.chat(roomId, hello);
    await page.getByRole("button", { name: said("translate.offer") }).click();
    await page.getByRole("button", { name: said("translate.original") }).waitFor();
    await show("translation-line-server", { controlsApart: true });
  }),
  scene(
    "messages that the browser translates",
    () => ({ as: ana, answers: inbox().answers }),
    async (stage) => {
      const { page, said, show } = stage;
      await page.evaluate(installFakeTranslation, noPack);
      await openMessages(page, said);
      await openThread(page, "Bo");
      const log = page.getByRole("log");
      await log.getByRole("button", { name: said("translate.original") }).waitFor();
      await show("translation-message-offer");
      await page.evaluate(() => {
        if (window.fakeTranslation) window.fakeTranslation.isBroken = true;
      });
      const offers = log.getByRole("button").filter({ hasNotText: said("translate.original") });
      await offers.first().click();
      await finishDownload(page);
      await log
        .getByRole("button", { name: said("common.retry") })
        .first()
        .waitFor();
      await show("translation-message-failed");
      await page.evaluate(() => {
        if (window.fakeTranslation) window.fakeTranslation.isBroken = false;
      });
      await log
        .getByRole("button", { name: said("common.retry") })
        .first()
        .click();
      await expect(log.getByText(texts[hello][1].en).or(log.getByText(texts[hello][1].ar))).toBeVisible();
      await show("translation-message");
    },
  ),
  scene(
    "the setting of translation",
    { as: ana, answers: { accountInfo: accountInfo(galleryNowMs), userExport: { state: "none" } } },
    async ({ page, said, show }) => {
      await page.evaluate(installFakeTranslation, noPack);
      await chooseInMenu(page, said, "menu.account");
      await page.getByRole("switch", { name: said("translate.settingOn") }).scrollIntoViewIfNeeded();
      await show("translation-setting");
    },
  ),
];
