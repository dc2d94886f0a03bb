import { expect } from "@playwright/test";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { firstSearch, pressSaid } from "../../support/first-search.ts";
import { test } from "../../support/visits.ts";
import { expectVideoPlays, watchPeers } from "../../support/media.ts";
import { expectCallState, signIn } from "../../support/people.ts";
import { wordsOf } from "../../support/words.ts";

test.use({ program: "npm start" });

const said = wordsOf("ar");

// The other languages use fixtures: `pages/first-call.spec.ts`.
test("leads from the first visit to the first call in Arabic", async ({ visit }) => {
  const open = () => visit("/", { devices: true, locale: "ar-EG", before: watchPeers });
  const [one, other] = [await open(), await open()];
  await expect(one.locator("html")).toHaveAttribute("dir", "rtl");
  const answered = one.waitForRequest("**/api/login");
  await firstSearch(one, "ar", (page) => signIn(page, { name: "Arabic one" }));
  expect((await answered).postData() ?? "").toMatch(/name="language"\r\n\r\nar\r\n/);
  await firstSearch(other, "ar", (page) => signIn(page, { name: "Arabic other" }));
  for (const page of [one, other]) await expectCallState(page, "in-call");
  await expectVideoPlays(one, said("call.remote"));
  await expect(one.getByText("Arabic other").first()).toBeVisible();
  await pressSaid(one, said("people.reportName", { name: "Arabic other" }));
  const report = one.getByRole("dialog");
  for (const id of reportReasonIds) {
    const reason = said(`reason.report.${id}`).source.slice(0, -1);
    await expect(report.getByRole("radio", { name: new RegExp(reason, "u") })).toBeVisible();
  }
  await one.keyboard.press("Escape");
  await pressSaid(one, said("call.end"));
  await expect(one.getByRole("button", { name: said("home.start") })).toBeVisible();
});
