import { expect, type Page } from "@playwright/test";
import type { Appeal } from "@fava/wire/moderation.ts";
import {
  appealOf,
  appealStatusOf,
  appealToken,
  banFactsOf,
  banPush,
  decidedStatusOf,
} from "@fava/web/testing/appeal-fixtures.ts";
import { fullStatement, unusedOrder } from "@fava/web/testing/bean-fixtures.ts";
import { installFakePush } from "@fava/web/testing/fake-push.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { type OpenOptions, socketOpened } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { fault, never, untilLoading } from "../desk-steps.ts";
import { scene } from "../scene.ts";
import { allowNotifications, pushKey } from "../notification-steps.ts";

const dayMs = 86_400_000;
const words = "We were acting out a scene from a film we both like. You can see it a minute earlier in the chat.";

/** The page of an appeal, opened by a visitor. */
function appealing(answers: Answers = {}): OpenOptions {
  return { path: `/appeal#${appealToken}`, answers: { appealStatus: appealStatusOf(galleryNowMs), ...answers } };
}

/** A server that notifies one browser of the answer. */
function answerTold(): Answers {
  const key = Buffer.from(pushKey).toString("base64url");
  let on = false;
  return {
    appealPushInfo: () => ({ key, on }),
    appealPushAdd: () => ({ on: (on = true) }),
    appealPushDel: () => {
      on = false;
      return {};
    },
  };
}

function decided(change: Partial<Appeal> & Pick<Appeal, "state">): Answers {
  return { appealStatus: decidedStatusOf(galleryNowMs, change) };
}

async function fill(page: Page, said: Words): Promise<void> {
  await page.getByRole("radio", { name: said("appeal.ground.2") }).check();
  await page.getByLabel(said("appeal.text")).fill(words);
}

async function openPart(page: Page, said: Words, key: string): Promise<void> {
  await page
    .locator("summary")
    .filter({ has: page.getByText(said(key)) })
    .click();
}

export const appealScenes = [
  scene("the notice of a ban", { as: ana }, async ({ page, said, show, world }) => {
    const notice = page.getByRole("alertdialog", { name: said("ban.suspended") });
    await expect(page.getByRole("button", { name: said("home.account") })).toBeVisible();
    await socketOpened(world.server);
    world.server.socket.push(banPush(banFactsOf(galleryNowMs)));
    await expect(notice.getByText(said("ban.reason.2"))).toBeVisible();
    await show("appeal-notice");
    world.server.answer({ appealStatus: appealStatusOf(galleryNowMs) });
    await notice.getByRole("link", { name: said("ban.appealGo") }).click();
    await expect(page.getByRole("complementary", { name: said("appeal.decision") })).toBeVisible();
    await show("appeal-new");
  }),

  scene(
    "an appeal that is written and sent",
    appealing({ appealAdd: new Refusal(406, { reason: "appealed_before" }), ...answerTold() }),
    async ({ page, said, show, world }) => {
      await allowNotifications(page);
      const send = page.getByRole("button", { name: said("appeal.send") });
      await send.click();
      await expect(page.getByText(said("appeal.needText"))).toBeVisible();
      await show("appeal-empty");
      await fill(page, said);
      await show("appeal-form");
      await send.click();
      await expect(page.getByText(said("refused.appealed_before"))).toBeVisible();
      await show("appeal-refused");
      world.server.answer({ appealAdd: appealStatusOf(galleryNowMs, { appeal: appealOf(galleryNowMs) }) });
      await send.click();
      await expect(page.getByRole("heading", { level: 1, name: said("appeal.yours") })).toBeVisible();
      const offer = page.getByRole("button", { name: said("appeal.tell") });
      await offer.waitFor();
      await show("appeal-status");
      const question = page.getByRole("dialog", { name: said("notify.answerAsk") });
      const turnOn = question.getByRole("button", { name: said("notify.turnOn") });
      await offer.click();
      await turnOn.waitFor();
      await show("notify-answer");
      await turnOn.click();
      const stop = page.getByRole("button", { name: said("notify.tellStop") });
      await stop.waitFor();
      await show("appeal-told");
      await stop.click();
      await offer.waitFor();
      await page.evaluate(installFakePush, { permission: "default" as const, answer: "denied" as const });
      await offer.click();
      await turnOn.click();
      await question.getByRole("alert").waitFor();
      await question.getByRole("button", { name: said("notify.later") }).click();
      await expect(question).toBeHidden();
      await page.getByText(said("notify.denied")).waitFor();
      await show("appeal-not-told");
    },
  ),

  scene(
    "what a banned user keeps",
    appealing({
      beanStatement: fullStatement(galleryNowMs),
      userExport: { state: "none" },
      accountDel: new Refusal(406, { reason: "wrong_number" }),
    }),
    async ({ page, said, show, world }) => {
      for (const part of ["appeal.beans", "appeal.data", "appeal.delete"]) await openPart(page, said, part);
      await expect(page.getByText(said("appeal.refund")).last()).toBeVisible();
      await expect(page.getByRole("button", { name: said("appeal.dataGo") })).toBeVisible();
      await show("appeal-still");
      world.server.answer({ userExport: { state: "preparing", percent: 40 } });
      await page.getByRole("button", { name: said("appeal.dataGo") }).click();
      await expect(page.getByText(said("appeal.dataPreparing"))).toBeVisible();
      await page.getByLabel(said("appeal.deleteNumber")).fill("12345678");
      await page.getByRole("button", { name: said("appeal.delete") }).click();
      await expect(page.getByText(said("refused.wrong_number"))).toBeVisible();
      await show("appeal-still-asked");
      const copy = { name: "fava.zip", size_bytes: 48_200, url: "/media/copy.zip", until: galleryNowMs + dayMs };
      world.server.answer({
        userExport: { state: "ready", ...copy },
        accountDel: { until: galleryNowMs + 14 * dayMs },
        orderWithdraw: unusedOrder(galleryNowMs),
      });
      await expect(page.getByRole("link", { name: said("appeal.dataReady") })).toBeVisible();
      await page.getByRole("button", { name: said("appeal.delete") }).click();
      await expect(page.getByText(said("appeal.deleted"))).toBeVisible();
      await page.getByRole("button", { name: said("appeal.refundGo") }).click();
      await expect(page.getByText(said("appeal.refundDone"))).toBeVisible();
      await show("appeal-still-done");
    },
  ),

  scene(
    "what a banned user keeps, without beans and with errors",
    appealing({ beanStatement: { rows: [], next: null }, userExport: fault }),
    async ({ page, said, show }) => {
      await openPart(page, said, "appeal.beans");
      await openPart(page, said, "appeal.data");
      await expect(page.getByText(said("appeal.refundNone"))).toBeVisible();
      await expect(page.getByRole("button", { name: said("common.retry") })).toBeVisible();
      await show("appeal-still-none");
    },
  ),

  scene("the outcome of an appeal", appealing(decided({ state: "upheld" })), async ({ page, said, show, world }) => {
    await expect(page.getByText(said("appeal.upheld"))).toBeVisible();
    await show("appeal-upheld");
    world.server.answer(decided({ state: "shortened", until: galleryNowMs + dayMs }));
    await page.reload();
    await expect(page.getByText(said("appeal.shortened"))).toBeVisible();
    await show("appeal-shortened");
    world.server.answer(decided({ state: "lifted", beans_returned: 3_200 }));
    await page.reload();
    await expect(page.getByText(said("appeal.liftedBeans"))).toBeVisible();
    await show("appeal-lifted-with-beans");
    world.server.answer(decided({ state: "lifted" }));
    await page.reload();
    await expect(page.getByText(said("appeal.liftedStrike"))).toBeVisible();
    await show("appeal-lifted");
    const late = appealOf(galleryNowMs, { at: galleryNowMs - 4 * dayMs, answer_by: galleryNowMs - dayMs });
    world.server.answer({ appealStatus: appealStatusOf(galleryNowMs, { appeal: late }) });
    await page.reload();
    await expect(page.getByText(said("appeal.late"))).toBeVisible();
    await show("appeal-late");
  }),

  scene("an ended ban, an address without a ban, and errors", { path: "/appeal" }, async (stage) => {
    const { page, said, show, world } = stage;
    await expect(page.getByRole("heading", { name: said("appeal.noneTitle") })).toBeVisible();
    await show("appeal-none");
    const facts = banFactsOf(galleryNowMs, { until: galleryNowMs - dayMs, by: "software", reports: 0 });
    world.server.answer({ appealStatus: appealStatusOf(galleryNowMs, { ban: facts, in_force: false }) });
    await page.goto("/404");
    await page.goto(`/appeal#${appealToken}`);
    const decision = page.getByRole("complementary", { name: said("appeal.decision") });
    await expect(decision.getByRole("link", { name: said("appeal.signIn") })).toBeVisible();
    await show("appeal-over");
    world.server.answer({ appealStatus: fault });
    await page.reload();
    await expect(page.getByText(said("appeal.loadFailed"))).toBeVisible();
    await show("appeal-failed");
    world.server.answer({ appealStatus: never });
    await page.reload();
    await untilLoading(page);
    await show("appeal-loading");
  }),
];
