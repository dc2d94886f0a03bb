import { expect } from "@playwright/test";
import { codes } from "@fava/wire/codes.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { banNotice } from "@fava/web/testing/session-fixtures.ts";
import { chooseAna, openProvider } from "../../support/provider-window.ts";
import { holdToast } from "../hold-toast.ts";
import { type Scene, scene } from "../scene.ts";

const hourMs = 3_600_000;
const notice = banNotice(galleryNowMs);
/** A ban by software after a frame of a call, until a person has reviewed it. */
const suspension = banNotice(galleryNowMs, {
  time: new Date(galleryNowMs + 24 * hourMs).toISOString(),
  facts: {
    ...notice.facts,
    until: galleryNowMs + 24 * hourMs,
    by: "software",
    is_provisional: true,
    rule: "explicit_picture_sure",
    call_at: galleryNowMs,
    reports: 0,
  },
});
const forGood = banNotice(galleryNowMs, { time: null, facts: { ...notice.facts, until: null, strike: 3 } });

export const sessionScenes: readonly Scene[] = [
  scene("a session ended by another sign-in", { as: ana }, async ({ page, said, show, world }) => {
    world.server.answer({ active: new Refusal(codes.noSession, { reason: "kicked" }) });
    await page.getByRole("radio").nth(1).click();
    await page.getByRole("alertdialog", { name: said("kick.title") }).waitFor();
    await show("session-kicked");
  }),
  scene("a session that has expired", { as: ana }, async ({ page, said, show, world }) => {
    world.server.answer({ active: new Refusal(codes.noSession, { reason: "expired" }) });
    await page.getByRole("radio").nth(1).click();
    await page.getByText(said("error.signedOut")).first().waitFor();
    await holdToast(page);
    await show("session-expired");
  }),
  scene("a session whose account is gone", { as: ana }, async ({ page, said, show, world }) => {
    world.server.answer({ active: new Refusal(codes.noSession, { reason: "deleted" }) });
    await page.getByRole("radio").nth(1).click();
    await page.getByText(said("error.accountDeleted")).first().waitFor();
    await holdToast(page);
    await show("session-account-deleted");
  }),
  ...Object.entries({ banned: notice, "banned-for-now": suspension, "banned-for-good": forGood }).map(([name, shown]) =>
    scene(
      `a sign-in while ${name.replaceAll("-", " ")}`,
      { answers: { login: new Refusal(codes.banned, shown) } },
      async ({ page, said, show }) => {
        await chooseAna(await openProvider(page, "Google", said));
        await page.getByRole("alertdialog", { name: said("ban.title") }).waitFor();
        await show(`session-${name}`);
      },
    ),
  ),
  scene("the number of a ban's account is copied", { as: ana }, async ({ page, said, show, world }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    world.server.answer({ active: new Refusal(codes.banned, notice) });
    await page.getByRole("radio").nth(1).click();
    await page.getByRole("button", { name: said("ban.copyAccount") }).click();
    await page.getByText(said("appeal.copied")).first().waitFor();
    await show("session-ban-copied");
  }),
  scene(
    "a ban after a call that the checks ended",
    { as: ana, devices: "allowed", answers: { userInfo: otherUserOf("Bo") } },
    async ({ page, said, show, world }) => {
      await page.getByRole("button", { name: said("home.start") }).click();
      await page.getByRole("button", { name: said("rules.ok") }).click();
      await world.match(page);
      await expect(page.locator("[data-match-state]")).toHaveAttribute("data-status", "in-call");
      world.server.socket.push({ code: pushCodes.banned, ...suspension });
      await page.getByRole("alertdialog", { name: said("ended.title") }).waitFor();
      await show("session-call-ended");
    },
  ),
];
