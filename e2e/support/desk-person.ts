import { expect, type Locator, type Page } from "@playwright/test";
import { login } from "@fava/wire/endpoints/session.ts";
import { signedCall } from "@fava/server/test/fixtures/signed-call.ts";
import { callAs, selfOf } from "./friends.ts";
import { expectToast } from "./people.ts";
import type { PictureFile } from "./pictures.ts";
import { words } from "./words.ts";

/** Opens the desk at one of its paths. */
export async function openDesk(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
}

/** Finds a person from the desk by name, and chooses the result. */
export async function choosePerson(page: Page, name: string): Promise<void> {
  await openDesk(page, "/reportReview/figures");
  await page.keyboard.press("Control+k");
  const find = page.getByRole("dialog", { name: words("desk.find.title") });
  await expect(find.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await find.getByRole("button", { name }).first().click();
}

/** Finds a person from the desk by name; returns the person's panel. */
export async function openPersonPanel(page: Page, name: string): Promise<Locator> {
  await choosePerson(page, name);
  const panel = page.getByRole("dialog", { name });
  await expect(panel.getByRole("button", { name: words("desk.tools") })).toBeVisible();
  return panel;
}

/** Chooses a tool of a person's panel. */
export async function chooseTool(panel: Locator, key: string): Promise<void> {
  await panel.getByRole("button", { name: words("desk.tools") }).click();
  await panel
    .page()
    .getByRole("menuitem", { name: words(key) })
    .click();
}

/** Confirms the question of a tool. */
export async function confirmTool(page: Page, title: string, yes: string): Promise<void> {
  await page
    .getByRole("alertdialog", { name: words(title) })
    .getByRole("button", { name: words(yes) })
    .click();
}

/** Reports another user, after finding them by number. */
export async function reportAs(reporter: Page, other: Page, reasonId: number): Promise<void> {
  const [{ user_id }, about] = [await selfOf(reporter), await selfOf(other)];
  await callAs(reporter, "/api/user/search", { user_id, text: about.user_no });
  await callAs(reporter, "/api/feedback", { user_id, other_id: about.user_id, id: reasonId });
}

/** Signs a user in once from this device, and leaves no browser behind. */
export async function signInFrom(target: string, { name, device }: { name: string; device: string }): Promise<void> {
  const token = await fetch(`${target}/sandbox/identity/google/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  const identity = (await token.json()) as Omit<Parameters<typeof signedCall<typeof login>>[2], "login_type">;
  const input = { ...identity, login_type: 1, source: 1, language: "en", imei: device } as const;
  expect(await signedCall({ target }, login, input)).toMatchObject({ code: 200 });
}

/** Adds photos to the user's profile, from the home screen. */
export async function addPhotos(page: Page, files: readonly PictureFile[]): Promise<void> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  const profile = page.getByRole("dialog", { name: words("profile.title") });
  for (const [index, file] of files.entries()) {
    await profile.locator("input[type=file]").last().setInputFiles(file);
    await expect(profile.locator("[data-photo]")).toHaveCount(index + 1);
  }
  await page.keyboard.press("Escape");
  await expect(profile).toBeHidden();
}

/** Chooses a new avatar, which a moderator approves by a request. */
export async function showAvatar(page: Page, moderator: Page, file: PictureFile): Promise<void> {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.profile") }).click();
  const profile = page.getByRole("dialog", { name: words("profile.title") });
  await profile.locator("input[type=file]").first().setInputFiles(file);
  await page
    .getByRole("dialog", { name: words("crop.title") })
    .getByRole("button", { name: words("crop.use") })
    .click();
  await expect(profile.getByText(words("profile.newWaiting"))).toBeVisible();
  const [owner, { user_id }] = [await selfOf(page), await selfOf(moderator)];
  const { rows } = await callAs(moderator, "/admin/user/avatar/list", { user_id });
  const row = (rows as { id: string; user_id: number }[]).find((one) => one.user_id === owner.user_id);
  await callAs(moderator, "/admin/avatar/operate", { user_id, id: row?.id ?? "", operation: 1 });
  await page.reload();
  await expect(page.getByRole("button", { name: words("home.account") }).locator("img")).toBeVisible();
}

/** Resets a part of the profile, from the person's open panel. */
export async function resetField(panel: Locator, field: "nickname" | "about" | "avatar"): Promise<void> {
  await chooseTool(panel, `desk.reset.${field}`);
  await confirmTool(panel.page(), `desk.reset.${field}`, "desk.reset.yes");
  await expectToast(panel.page(), "desk.done.reset");
}
