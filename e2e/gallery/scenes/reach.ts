import { expect, type Page } from "@playwright/test";
import { conversationOf, Inbox } from "@fava/web/testing/message-fixtures.ts";
import { ana, galleryNowMs } from "@fava/web/testing/fixtures.ts";
import { peopleAnswers, relationAnswers } from "@fava/web/testing/people-fixtures.ts";
import { caller, meetIn, startSearch } from "../../support/fixture-call.ts";
import { type PageWorld, socketOpened } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { atDesk, openFirstCase } from "../desk-steps.ts";
import { holdTimers } from "../held-timers.ts";
import { openMessages } from "../messages-steps.ts";
import { openPeople } from "../people-steps.ts";
import { type Scene, scene } from "../scene.ts";

/** Makes the server unreachable, and waits until the page has noticed. */
async function loseServer({ page, world, said }: { page: Page; world: PageWorld; said: Words }): Promise<void> {
  world.expectErrors(/ERR_|WebSocket/);
  world.server.goAway();
  await expect(page.locator("#reach p")).toHaveText(said("offline.away"));
}

const inbox = new Inbox(() => galleryNowMs);
inbox.add(conversationOf("Bo", { presence: "online" }), ["see you tonight"]);

export const reachScenes: readonly Scene[] = [
  scene("a visitor's home screen without a server", {}, async (stage) => {
    const { page, said, show } = stage;
    await page.getByText(said("home.online")).waitFor();
    await loseServer(stage);
    await show("reach-visitor");
  }),
  scene("a search without a server", caller, async (stage) => {
    const { page, said, show, world } = stage;
    await startSearch(page, said);
    await socketOpened(world.server);
    await loseServer(stage);
    await page.getByRole("heading", { name: said("search.away") }).waitFor();
    await show("reach-search", { controlsApart: true });
  }),
  scene("a call without a server", caller, async (stage) => {
    const { page, said, show, world } = stage;
    await startSearch(page, said);
    await meetIn(page, world);
    await loseServer(stage);
    await show("reach-call", { controlsApart: true });
    // Another server is up, but does not say yet whether the call continues.
    await holdTimers(page);
    world.server.answer({ startVideo: () => new Promise<never>(() => undefined) });
    world.server.comeBack();
    await expect.poll(() => world.server.asked("startVideo").length).toBeGreaterThan(0);
    await page.locator("#call section canvas").first().waitFor();
    await show("reach-call-awaited", { controlsApart: true });
  }),
  scene("messages without a server", { as: ana, answers: inbox.answers }, async (stage) => {
    const { page, said, show, world } = stage;
    await socketOpened(world.server);
    const panel = await openMessages(page, said);
    await panel.getByText("see you tonight").waitFor();
    await loseServer(stage);
    await show("reach-messages");
  }),
  scene(
    "people without a server",
    { as: ana, answers: { ...peopleAnswers(galleryNowMs), ...relationAnswers() } },
    async (stage) => {
      const { page, said, show, world } = stage;
      await socketOpened(world.server);
      const panel = await openPeople(page, said);
      await panel.getByRole("listitem").first().waitFor();
      await loseServer(stage);
      await show("reach-people");
    },
  ),
  scene("a desk without a server", atDesk("/reportReview"), async (stage) => {
    const { page, said, show, world } = stage;
    await openFirstCase(page, said);
    await socketOpened(world.server);
    await loseServer(stage);
    await page.getByText(said("desk.closed.away")).waitFor();
    await show("reach-desk");
  }),
];
