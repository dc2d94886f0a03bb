import { codes } from "@fava/wire/codes.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs, otherUserOf } from "@fava/web/testing/fixtures.ts";
import {
  everybody,
  nobodyAnswers,
  peopleAnswers,
  peoplePage,
  recentRow,
  relationAnswers,
  wholeProfile,
} from "@fava/web/testing/people-fixtures.ts";
import type { Locator, Page } from "@playwright/test";
import { socketOpened } from "../../support/fixture-page.ts";
import type { Words } from "../../support/words.ts";
import { chooseTab, openPeople, openProfileOf, startOf } from "../people-steps.ts";
import { type Scene, scene } from "../scene.ts";

const full: Answers = { ...peopleAnswers(galleryNowMs), ...relationAnswers() };
const never = () => new Promise<never>(() => undefined);
const broken = new Refusal(codes.serverError);

/** Opens the menu of a recent partner. */
async function openMenuOf(panel: Locator, said: Words, name: string): Promise<void> {
  await panel
    .getByRole("button", { name: said("msg.menu", { name }) })
    .first()
    .click();
}

async function find(page: Page, said: Words, text: string): Promise<void> {
  const sheet = page.getByRole("dialog", { name: said("find.title") });
  await sheet.getByRole("searchbox").fill(text);
  await sheet.getByRole("searchbox").press("Enter");
}

export const peopleScenes: readonly Scene[] = [
  scene("the counted lists of people", { as: ana, answers: full }, async ({ page, said, show }) => {
    const panel = await openPeople(page, said);
    for (const tab of ["following", "fans", "friends", "likes"] as const) {
      await chooseTab(page, said, tab);
      await panel.getByRole("listitem").first().waitFor();
      await show(`people-${tab}`);
    }
  }),
  scene("recent and blocked people", { as: ana, answers: full }, async ({ page, said, show }) => {
    const panel = await openPeople(page, said, "recent");
    await panel
      .getByRole("button", { name: startOf(said, "people.both") })
      .first()
      .waitFor();
    await show("people-recent");
    await openMenuOf(panel, said, "Grace");
    await page.getByRole("menu").waitFor();
    await show("people-recent-menu");
    await page.keyboard.press("Escape");
    await chooseTab(page, said, "blocked");
    await panel.getByText(said("people.blockedIntro")).waitFor();
    await panel
      .getByRole("button", { name: startOf(said, "people.unblock") })
      .first()
      .click();
    await panel.getByRole("button", { name: startOf(said, "people.unblocked") }).waitFor();
    await panel.getByRole("region", { name: said("people.apart") }).waitFor();
    await show("people-blocked");
  }),
  scene("the other person waits to meet again", { as: ana, answers: full }, async ({ page, said, show, world }) => {
    const panel = await openPeople(page, said, "recent");
    const [bo] = everybody;
    if (!bo) throw new Error("nobody");
    const { user_id: userId, externalId, nickname, avatar } = bo;
    // An earlier event would be overwritten by the list, which does not contain it yet.
    await panel.getByText(nickname).first().waitFor();
    await socketOpened(world.server);
    world.server.socket.social({ kind: "meet", userId, externalId, nickname, avatar, state: "waiting" });
    await panel.getByRole("button", { name: startOf(said, "people.waits") }).waitFor();
    await page.locator("[data-toasts]").getByRole("paragraph").hover();
    await show("people-waits");
  }),
  scene("empty lists of people", { as: ana, answers: nobodyAnswers }, async ({ page, said, show }) => {
    const panel = await openPeople(page, said);
    for (const tab of ["following", "fans", "friends", "likes", "recent", "blocked"] as const) {
      await chooseTab(page, said, tab);
      await panel.getByText(said(`people.empty.${tab}`)).waitFor();
      await show(`people-${tab}-empty`);
    }
  }),
  scene(
    "people while loading",
    { as: ana, answers: { ...full, followList: never, recentList: never, blockList: never, userSearch: never } },
    async ({ page, said, show }) => {
      const panel = await openPeople(page, said);
      for (const tab of ["following", "recent", "blocked"] as const) {
        await chooseTab(page, said, tab);
        await panel.getByText(said("people.loading")).waitFor({ state: "attached" });
        await show(`people-${tab}-loading`);
      }
      await panel.getByRole("button", { name: said("find.title") }).click();
      await find(page, said, "an");
      await page.getByText(said("find.loading")).waitFor({ state: "attached" });
      await show("people-find-loading");
    },
  ),
  scene(
    "people who could not be loaded",
    {
      as: ana,
      answers: {
        ...full,
        followList: ({ cursor }) =>
          cursor === undefined ? peoplePage(everybody, { total: 18, next: "more" }) : broken,
        likeList: broken,
        recentList: broken,
        userSearch: broken,
      },
    },
    async ({ page, said, show }) => {
      const panel = await openPeople(page, said);
      await panel.getByRole("button", { name: said("people.more") }).click();
      await panel.getByText(said("people.notLoaded")).waitFor();
      await show("people-more-failed");
      for (const tab of ["likes", "recent"] as const) {
        await chooseTab(page, said, tab);
        await panel.getByText(said("people.notLoaded")).waitFor();
        await show(`people-${tab}-failed`);
      }
      await panel.getByRole("button", { name: said("find.title") }).click();
      await find(page, said, "an");
      await page.getByText(said("find.notLoaded")).waitFor();
      await show("people-find-failed");
    },
  ),
  scene("finding people", { as: ana, answers: full }, async ({ page, said, show, world }) => {
    const panel = await openPeople(page, said);
    await panel.getByRole("button", { name: said("find.title") }).click();
    const sheet = page.getByRole("dialog", { name: said("find.title") });
    await sheet.getByRole("searchbox").waitFor();
    await show("people-find");
    await find(page, said, "an");
    await sheet.getByRole("listitem").first().waitFor();
    await show("people-found");
    world.server.answer({ userSearch: { rows: [], next: null } });
    await sheet.getByLabel(said("find.sex")).selectOption("1");
    await find(page, said, "nobody has this name");
    await sheet.getByText(said("find.nobody")).waitFor();
    await show("people-find-nobody");
  }),
  scene("the profile of another person", { as: ana, answers: full }, async ({ page, said, show, world }) => {
    const panel = await openPeople(page, said, "recent");
    await openProfileOf(panel, said, "Bo");
    const profile = page.getByRole("dialog", { name: "Bo" });
    await profile.getByText(said("other.requestNote", { name: "Bo" })).waitFor();
    const quiet = ["other.block", "other.report"].map((key) =>
      profile.getByRole("button", { name: startOf(said, key) }),
    );
    await show("people-other", { inView: quiet });
    await profile
      .getByRole("button", { name: said("other.photo", { name: "Bo" }) })
      .nth(1)
      .click();
    const photos = page.getByRole("dialog", { name: said("other.viewer", { name: "Bo" }) });
    await photos.getByRole("status").waitFor();
    await page.keyboard.press("ArrowRight");
    await show("people-photo");
    await page.keyboard.press("Escape");
    await photos.waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await profile.waitFor({ state: "hidden" });
    const shared = { languages: [12, 1], interests: [7, 0] };
    const noor = wholeProfile("Noor", { followStatus: 2, can_message: "yes", photos: [], shared });
    world.server.answer({ userInfo: noor });
    await openProfileOf(panel, said, "Noor");
    await page.getByRole("button", { name: said("people.friends"), exact: true }).waitFor();
    await show("people-other-friend");
  }),
  scene("profiles with little content", { as: ana, answers: full }, async ({ page, said, show, world }) => {
    const panel = await openPeople(page, said, "recent");
    const longest = "Leyla of the long name, who writes";
    world.server.answer({ userInfo: otherUserOf(longest, { avatar: "", can_message: "no" }) });
    await openProfileOf(panel, said, longest);
    await page.getByText(said("other.noMessage")).waitFor();
    await show("people-other-bare");
    await page.keyboard.press("Escape");
    await page.getByText(said("other.noMessage")).waitFor({ state: "hidden" });
    world.server.answer({ userInfo: never });
    await openProfileOf(panel, said, "Noor");
    await page.getByText(said("other.loading")).waitFor({ state: "attached" });
    await show("people-other-loading");
  }),
  scene("profiles that are unavailable", { as: ana, answers: full }, async ({ page, said, show, world }) => {
    const panel = await openPeople(page, said, "recent");
    world.server.answer({ userInfo: broken });
    await openProfileOf(panel, said, "Noor");
    await page.getByText(said("other.notLoaded")).waitFor();
    await show("people-other-failed");
    world.server.answer({ userInfo: new Refusal(codes.forbidden, { reason: "not_met" }) });
    await page.getByRole("button", { name: said("common.retry") }).click();
    await page.getByText(said("other.goneText")).waitFor();
    await show("people-other-gone");
  }),
  scene("a report of a past partner", { as: ana, answers: full }, async ({ page, said, show }) => {
    const panel = await openPeople(page, said, "recent");
    await openMenuOf(panel, said, "Kenji");
    await page.getByRole("menuitem", { name: said("people.reportName", { name: "Kenji" }) }).click();
    const sheet = page.getByRole("dialog", { name: said("report.title") });
    await sheet.getByRole("button", { name: said("report.send") }).press("Enter");
    await sheet.getByText(said("report.choose")).waitFor();
    await show("people-report-missing");
    await sheet.getByRole("radio").nth(5).check();
    await sheet.getByRole("switch").check();
    await show("people-report");
  }),
  scene(
    "actions on people that the server rejects",
    {
      as: ana,
      answers: {
        ...full,
        follow: new Refusal(codes.refused, { reason: "too_many" }),
        like: new Refusal(codes.slowDown),
        recentList: { rows: everybody.map((person) => recentRow(person, galleryNowMs)), next: null },
      },
    },
    async ({ page, said, show }) => {
      const panel = await openPeople(page, said, "fans");
      await panel
        .getByRole("button", { name: startOf(said, "people.followBack") })
        .first()
        .click();
      await page.getByRole("alertdialog", { name: said("refused.title") }).waitFor();
      await show("people-refused");
      await page.getByRole("button", { name: said("common.ok") }).click();
      await chooseTab(page, said, "recent");
      await openMenuOf(panel, said, "Bo");
      await page.getByRole("menuitem", { name: said("people.blockName", { name: "Bo" }) }).click();
      const notice = page.locator("[data-toasts]").getByText(said("people.undo"));
      await notice.waitFor();
      await notice.hover();
      await show("people-blocked-notice");
    },
  ),
];
