import { expect, type Page } from "@playwright/test";
import { framesOf } from "./frames.ts";
import { showMarker } from "./marker-camera.ts";
import { callScreen, expectCallState, meet } from "./people.ts";
import { expectVideoPlays } from "./media.ts";
import { words } from "./words.ts";

/** Time until frames were requested, classified often enough and acted upon, on a busy machine. */
export const judgedMs = 60_000;

export const heading = (page: Page, key: string) => page.getByRole("heading", { name: words(key) });

/** The blurred copy that covers the remote video. */
export const blurred = (page: Page) => page.locator("section[data-status] canvas");

export async function expectShown(page: Page): Promise<void> {
  await expect(heading(page, "shield.checking")).toBeHidden({ timeout: judgedMs });
  await expect(heading(page, "shield.hidden")).toBeHidden({ timeout: judgedMs });
  await expect(blurred(page)).toHaveCount(0);
}

/** Two users meet and see each other once both videos were judged. */
export async function meetJudged(one: Page, other: Page): Promise<void> {
  const uploads: string[] = [];
  one.on("request", (request) => void uploads.push(new URL(request.url()).pathname));
  await meet(one, other);
  await Promise.all([expectShown(one), expectShown(other)]);
  await expectVideoPlays(one);
  expect(uploads).toContain("/api/video/inspect");
  const shields = framesOf(one).received.filter((frame) => frame.includes('"shield"'));
  expect(shields.at(-1)).toContain('"other":"clear"');
}

/** A surely explicit video of the first user ends the call. */
export async function expectCut(explicit: Page, partner: Page): Promise<void> {
  await showMarker(explicit, "sure");
  await expect(heading(partner, "shield.cut")).toBeVisible({ timeout: judgedMs });
  await expectCallState(partner, "searching");
  await expect(partner.getByText(words("shield.cutText"))).toBeVisible();
  await expect(callScreen(explicit)).toBeHidden();
  await expect(explicit.getByRole("alertdialog").or(explicit.getByRole("dialog"))).toBeVisible();
}
