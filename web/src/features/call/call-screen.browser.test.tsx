import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana, otherUserOf } from "#testing/fixtures.ts";
import { match } from "#testing/match.ts";
import { openPage } from "#testing/open-page.tsx";
import { installRemotePerson } from "#testing/remote-person.ts";

test("pilot", async () => {
  installRemotePerson();
  const server = await openPage({ as: ana, answers: { userInfo: otherUserOf("Bo") } });
  await page.getByRole("button", { name: t("home.start") }).click();
  await page.getByRole("button", { name: t("rules.ok") }).click();
  await expect.element(page.getByText(t("search.title")).first()).toBeVisible();
  await match(server, window.remotePerson);
  await expect.poll(() => document.querySelector("[data-match-state]")?.getAttribute("data-status")).toBe("in-call");
  await expect.poll(() => server.socket.heard("media").map(({ state }) => state)).toContain("playing");
});
