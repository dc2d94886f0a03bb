import type { Answers } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs, personOf } from "@fava/web/testing/fixtures.ts";
import { peopleAnswers, relationAnswers, wholeProfile } from "@fava/web/testing/people-fixtures.ts";
import { ringOf } from "@fava/web/testing/ring-fixtures.ts";
import { invitationMs, ringMs } from "@fava/wire/limits.ts";
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

const until = galleryNowMs + invitationMs;
const maker = personOf("Bo");
const waiting: Answers["inviteOpen"] = {
  state: "waiting",
  id: "waiting",
  until,
  maker: { nickname: maker.nickname, avatar: maker.avatar },
};

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

  scene(
    "links for a call with a friend, and a friend who opened one",
    {
      ...caller,
      nowMs: galleryNowMs,
      answers: {
        ...answers,
        invite: { id: "made", token: "Zk3qT0bVnX1yWc8sLr5uEa7iHd2jMfGp", until },
        inviteList: {
          rows: [
            { id: "made", until, opener: null },
            { id: "opened", until: until - 5_400_000, opener: personOf(longest) },
            { id: "earlier", until: until - 80_000_000, opener: null },
          ],
        },
      },
    },
    async ({ page, said, show, world }) => {
      await page.getByRole("button", { name: said("invite.title") }).click();
      const links = page.getByRole("dialog", { name: said("invite.title") });
      await links.getByText(said("invite.notOpened")).first().waitFor();
      await links.getByRole("button", { name: said("invite.make") }).click();
      await links.getByRole("textbox").waitFor();
      await show("invite-links");
      await socketOpened(world.server);
      const { user_id: userId, externalId, nickname, avatar } = maker;
      world.server.socket.social({ kind: "invited", id: "opened", from: { userId, externalId, nickname, avatar } });
      await page.getByRole("alertdialog", { name: said("invite.opened", { name: nickname }) }).waitFor();
      await show("invite-asked");
    },
  ),

  scene(
    "a page opened by the link of a friend",
    { as: ana, path: "/?open=invite#token", nowMs: galleryNowMs, answers: { inviteOpen: waiting } },
    async ({ page, said, show, world }) => {
      const go = page.getByRole("button", { name: said("invite.go") });
      await go.waitFor();
      await show("invite-link");
      await go.click();
      await page.getByRole("dialog", { name: said("invite.waiting", { name: "Bo" }) }).waitFor();
      await show("invite-waiting");
      await socketOpened(world.server);
      world.server.socket.social({ kind: "invite_over", id: "waiting" });
      await page.getByRole("dialog", { name: said("invite.gone") }).waitFor();
      await show("invite-gone");
    },
  ),
];
