import { expect, type Page } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { noticeDetailOf, noticeRows, noticeStatusOf, noticeToken } from "@fava/web/testing/notice-fixtures.ts";
import type { Words } from "../../support/words.ts";
import { atDesk } from "../desk-steps.ts";
import { scene } from "../scene.ts";

async function fillNotice(page: Page, said: Words): Promise<void> {
  await page.locator("input[value=intimate]").check();
  await page.getByLabel(said("notice.text")).fill("This picture shows me at the beach. I never agreed to it.");
  await page.getByLabel(said("notice.signature")).fill("Ana Example");
  await page.getByLabel(said("notice.email")).fill("ana@example.com");
  await page.getByRole("checkbox", { name: said("notice.faith") }).check();
}

export const noticeScenes = [
  scene("a notice by anybody, and its states", { path: "/notice#10482193" }, async ({ page, said, show, world }) => {
    const send = page.getByRole("button", { name: said("notice.send") });
    await send.waitFor();
    await show("notice-form");
    await send.click();
    await expect(page.getByText(said("notice.needs"))).toBeVisible();
    await show("notice-missing");
    await fillNotice(page, said);
    world.server.answer({ noticeAdd: new Refusal(codes.slowDown, { retry_after: 60 }) });
    await send.click();
    await expect(page.getByText(said("notice.tooMany"))).toBeVisible();
    await show("notice-too-many");
    world.server.answer({
      noticeAdd: { no: "N-7001", token: noticeToken },
      noticeStatus: noticeStatusOf(galleryNowMs),
    });
    await send.click();
    await expect(page.getByText(said("notice.hidden"))).toBeVisible();
    await show("notice-status");
    const question = "Which of the two pictures do you mean?";
    world.server.answer({ noticeStatus: noticeStatusOf(galleryNowMs, { state: "asked", question }) });
    await page.reload();
    await expect(page.getByText(question)).toBeVisible();
    await show("notice-asked");
    const reason = "We removed the picture, and it can’t be uploaded again.";
    const decided = { state: "upheld", is_hidden: false, decided_at: galleryNowMs, reason } as const;
    world.server.answer({ noticeStatus: noticeStatusOf(galleryNowMs, decided) });
    await page.reload();
    await expect(page.getByText(reason)).toBeVisible();
    await show("notice-decided");
    world.server.answer({ noticeStatus: new Refusal(codes.badInput) });
    await page.reload();
    await expect(page.getByText(said("notice.none"))).toBeVisible();
    await show("notice-none");
  }),

  scene("notices at the desk", atDesk("/reportReview/notices"), async ({ page, said, show, world }) => {
    await page.getByRole("navigation").getByRole("button", { name: "N-7001" }).click();
    await page.getByText("ana@example.com").waitFor();
    await show("notice-desk");
    await page.keyboard.press("1");
    await page.getByLabel(said("desk.notice.reason")).fill("We removed the picture.");
    await page.getByLabel(said("desk.notice.reason")).scrollIntoViewIfNeeded();
    await show("notice-desk-uphold");
    world.server.answer({
      adminNotice: noticeDetailOf(galleryNowMs, { written: null, pictures: [] }),
      adminNoticeList: noticeRows(galleryNowMs),
    });
    await page.reload();
    await page.getByRole("navigation").getByRole("button", { name: "N-7001" }).click();
    await page.getByText(said("desk.notice.erased")).waitFor();
    await show("notice-desk-erased");
  }),
];
