import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import type { OwnUser } from "@fava/wire/people.ts";
import { t } from "#lib/i18n.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { connected } from "#testing/messages-steps.ts";
import { openPage } from "#testing/open-page.tsx";
import { chooseInMenu } from "#testing/page-steps.ts";
import { OwnProfile } from "#testing/profile-fixtures.ts";

export const profile = () => page.getByRole("dialog", { name: t("profile.title") });

interface OpenedProfile {
  server: FixtureWorld;
  /** The profile as the server has stored it. */
  own: OwnProfile;
  sheet: Locator;
}

/** Opens Ana's page, with the changes of `user`, and her profile on it. */
export async function openOwnProfile(user: Partial<OwnUser> = {}, answers: Answers = {}): Promise<OpenedProfile> {
  const me = { ...ana, ...user };
  const server = await openPage({ as: me });
  // Wait for the socket: when it opens, the page may load the user and the images again.
  await connected(server);
  const own = new OwnProfile(server, me);
  server.answer({ ...own.answers, ...answers });
  await openProfileAgain();
  return { server, own, sheet: profile() };
}

/** Opens the profile from the user menu, which loads the stored one. */
export async function openProfileAgain(): Promise<void> {
  await chooseInMenu("menu.profile");
  await expect.element(profile().getByRole("button", { name: t("photo.addLong") })).toBeVisible();
}

/** Chooses a file for the avatar. */
export function chooseAvatar(file: File): void {
  choose(fileField("first"), file);
}

/** Chooses a file for a photo. */
export function choosePhoto(file: File): void {
  choose(fileField("last"), file);
}

/** Adds a photo, and waits until it is there. */
export async function addPhoto(file: File): Promise<void> {
  const count = photoIds().length;
  choosePhoto(file);
  await expect.poll(() => photoIds().length).toBe(count + 1);
}

/** The photos in order. */
export function photoIds(): (string | null)[] {
  return [...document.querySelectorAll("[data-photo]")].map((tile) => tile.getAttribute("data-photo"));
}

/** As the browser's file dialog does; sending a large file through the test runner would take seconds. */
function choose(field: HTMLInputElement, file: File): void {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  field.files = chosen.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function fileField(which: "first" | "last"): HTMLInputElement {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[role="dialog"] input[type="file"]')];
  const field = which === "first" ? fields[0] : fields.at(-1);
  if (!field) throw new Error("no file input");
  return field;
}
