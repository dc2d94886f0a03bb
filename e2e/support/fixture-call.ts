import { expect, type Page } from "@playwright/test";
import { ana, otherUserOf } from "@fava/web/testing/fixtures.ts";
import type { MatchChange } from "@fava/web/testing/match.ts";
import type { OpenOptions, PageWorld } from "./fixture-page.ts";
import { callScreen, expectCallState } from "./people.ts";
import { type Words, words } from "./words.ts";

/** Options of a page whose user will be in a call. */
export const caller = {
  as: { ...ana, credit5: 48_200 },
  devices: "allowed",
  answers: { userInfo: otherUserOf("Bo") },
  stored: { neverShowRule: "1", searchChecksTold: "1" },
} as const satisfies OpenOptions;

/** Presses Start on the home screen of a user who has read the rules. */
export async function startSearch(page: Page, said: Words = words): Promise<void> {
  await page.getByRole("button", { name: said("home.start") }).click();
  await expectCallState(page, "searching");
}

/** Matches the searching user with a partner whose video is there and cleared; resolves to the room's id. */
export async function meetIn(page: Page, world: PageWorld, change: MatchChange = {}): Promise<string> {
  const roomId = await beginMeeting(page, world, change);
  await expect(callScreen(page).locator("[data-meeting]")).toHaveCount(0);
  return roomId;
}

/** The same, while the partner's name still stands large. */
export async function beginMeeting(page: Page, world: PageWorld, change: MatchChange = {}): Promise<string> {
  const roomId = await world.match(page, change);
  await expectCallState(page, "in-call");
  world.server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect(callScreen(page).locator("section canvas")).toHaveCount(0);
  return roomId;
}
