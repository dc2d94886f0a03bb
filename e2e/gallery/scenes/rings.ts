import { ana, galleryNowMs, personOf } from "@fava/web/testing/fixtures.ts";
import { peopleAnswers, relationAnswers, wholeProfile } from "@fava/web/testing/people-fixtures.ts";
import { ringOf } from "@fava/web/testing/ring-fixtures.ts";
import { ringMs } from "@fava/wire/limits.ts";
import type { Page } from "@playwright/test";
import { caller, startSearch } from "../../support/fixture-call.ts";
import { type PageWorld, socketOpened } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { holdTimers } from "../held-timers.ts";
import { openPeople, openProfileOf } from "../people-steps.ts";
import { scene } from "../scene.ts";
import { neverAnswered } from "./devices.ts";

const answers = { ...caller.answers, ...peopleAnswers(galleryNowMs), ...relationAnswers() };
const longest = "Leyla of the long name, who writes";

async function ringBy(page: Page, said: Words, { world, name }: { world: PageWorld; name: string }): Promise<void> {
  await socketOpened(world.server);
  world.server.socket.social(ringOf(name, `ring of ${name}`));
  await page.getByRole("alertdialog", { name: said("ring.isCalling", { name }) }).waitFor();
}

export const ringScenes = [
  scene("a friend rings", { ...caller, answers }, async ({ page, said, show, world }) => {
    await page.getByRole("button", { name: said("home.start") }).waitFor();
    await holdTimers(page);
    await ringBy(page, said, { world, name: "Bo" });
    await page.getByRole("button", { name: said("ring.tone") }).waitFor();
    await show("ring-in");
    world.server.socket.social({ kind: "ring_over", id: "ring of Bo", why: "missed" });
    await page.getByRole("alertdialog").waitFor({ state: "hidden" });
    await startSearch(page, said);
    await ringBy(page, said, { world, name: longest });
    await show("ring-in-search");
  }),

  scene(
    "a friend's ring that was accepted, while the camera opens",
    { ...caller, answers, before: neverAnswered },
    async ({ page, said, show, world }) => {
      await ringBy(page, said, { world, name: "Bo" });
      await page.getByRole("button", { name: said("ring.accept") }).click();
      await page.getByRole("alertdialog", { name: said("ring.connecting", { name: "Bo" }) }).waitFor();
      await show("ring-opening");
    },
  ),

  scene("a user rings a friend", { ...caller, answers }, async ({ page, said, show, world }) => {
    world.server.answer({ ring: () => ({ state: "ringing", id: "ring-1", until: Date.now() + ringMs }) });
    const panel = await openPeople(page, said, "friends");
    await panel.getByRole("listitem").first().waitFor();
    await holdTimers(page);
    await panel.getByRole("button", { name: said("ring.callName", { name: "Bo" }) }).click();
    await page.getByRole("heading", { name: said("ring.calling", { name: "Bo" }) }).waitFor();
    await show("ring-out", { controlsApart: true });
    world.server.socket.social({ kind: "ring_over", id: "ring-1", why: "declined" });
    await page.getByRole("dialog", { name: said("ring.notTaken", { name: "Bo" }) }).waitFor();
    await show("ring-not-taken");
  }),

  scene(
    "a friend whose rings are muted for a day",
    { as: ana, answers, nowMs: galleryNowMs },
    async ({ page, said, show, world }) => {
      const until = galleryNowMs + 86_400_000;
      const noor = wholeProfile("Noor", {
        ...personOf("Noor", { followStatus: 2 }),
        photos: [],
        ring_muted_until: until,
      });
      world.server.answer({ userInfo: { ...noor, can_message: "yes" } });
      const panel = await openPeople(page, said, "friends");
      await openProfileOf(panel, said, "Noor");
      await page.getByRole("button", { name: said("ring.allow") }).waitFor();
      await show("ring-muted");
    },
  ),
];
