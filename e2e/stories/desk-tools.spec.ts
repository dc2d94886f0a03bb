import { expect, type Page } from "@playwright/test";
import { myInfo, userUpdate } from "@fava/wire/endpoints/profile.ts";
import { apiUser } from "../support/api-user.ts";
import {
  addPhotos,
  choosePerson,
  chooseTool,
  confirmTool,
  openDesk,
  openPersonPanel,
  resetField,
  showAvatar,
  signInFrom,
} from "../support/desk-person.ts";
import { callAs, selfOf } from "../support/friends.ts";
import { expectToast, test } from "../support/people.ts";
import { drawBlots, drawPicture } from "../support/pictures.ts";
import { rowsOf } from "../support/product-database.ts";
import { words } from "../support/words.ts";

const menuButton = (page: Page) => page.getByRole("button", { name: words("home.account") });

/** Why moderators have permanently removed images, oldest first. */
async function removedOf(product: Parameters<typeof rowsOf>[0]): Promise<unknown[]> {
  return rowsOf(product, "select reason_id from removed_pictures order by at");
}

/** The kinds of moderators' actions on a user, from the audit log. */
async function loggedOf(product: Parameters<typeof rowsOf>[0], userId: number): Promise<unknown[]> {
  const rows = await rowsOf(
    product,
    "select kind from audit_log where subject_id = $1 and actor_id is not null order by id",
    [userId],
  );
  return rows.map(({ kind }) => kind);
}

test("resets profile and pictures for everyone at once, logs it, and blocks deleted nudity", async ({
  person,
  product,
}) => {
  const [mia, ria, sly] = await Promise.all([
    person("mia"),
    person({ name: "Ria Rude" }),
    person({ name: "Sly Second" }),
  ]);
  const self = await selfOf(ria);
  await callAs(ria, "/api/user/update", { user_id: self.user_id, about: "Something that should be gone" });
  const [first, second, third] = await Promise.all([drawBlots(ria, 1), drawBlots(ria, 2), drawBlots(ria, 3)]);
  await addPhotos(ria, [first, second, third]);
  await showAvatar(ria, mia, await drawPicture(ria, 300, 300));
  const removedBefore = await removedOf(product);

  const panel = await openPersonPanel(mia, "Ria Rude");
  await expect(panel.getByText("Something that should be gone")).toBeVisible();
  await expect(panel.locator("header img").first()).toBeVisible();
  await resetField(panel, "about");
  await expect(panel.getByText("Something that should be gone")).toHaveCount(0);
  await resetField(panel, "avatar");
  await expect(panel.getByRole("img", { name: "Ria Rude" })).toHaveCount(0);

  await chooseTool(panel, "desk.images.delete");
  const sheet = mia.getByRole("dialog", { name: words("desk.images.title", { name: "Ria Rude" }) });
  await expect(sheet.getByRole("listitem")).toHaveCount(3);
  await expect(sheet.getByRole("img")).toHaveCount(0);
  await sheet.getByRole("button", { name: words("desk.images.one", { n: "1" }) }).click();
  await expectToast(mia, "desk.done.image");
  await expect(sheet.getByRole("listitem")).toHaveCount(2);
  await sheet.getByRole("checkbox", { name: words("desk.images.nudity") }).check();
  await sheet.getByRole("button", { name: "Delete all 2 pictures" }).click();
  await expectToast(mia, "desk.done.images");
  await expect(sheet).toBeHidden();

  await resetField(panel, "nickname");
  await expect(mia.getByRole("dialog", { name: self.user_no })).toBeVisible();
  expect(await selfOf(ria)).toMatchObject({ nickname: self.user_no, about: "", avatar: "", nickname_next: null });
  const { photos } = await callAs(ria, "/api/new/photo", { user_id: self.user_id });
  expect(photos).toEqual([]);
  await ria.reload();
  await expect(menuButton(ria)).toBeVisible();
  await expect(menuButton(ria).locator("img")).toHaveCount(0);
  expect(await removedOf(product)).toEqual([...removedBefore, { reason_id: 1 }, { reason_id: 1 }]);
  const kinds = ["image_approve", "reset", "reset", "image_delete", "images_delete", "reset"];
  expect(await loggedOf(product, self.user_id)).toEqual(kinds);

  await addPhotos(sly, [second, first]);
  const { user_id } = await selfOf(sly);
  const again = await callAs(sly, "/api/new/photo", { user_id });
  expect(again["photos"]).toMatchObject([{ status: "refused", reason_id: 1 }, { status: "pending" }]);
});

test(
  "opens and closes the desk at once when an administrator gives and removes the role",
  { tag: "@deep" },
  async ({ person, product }) => {
    const nia = await person({ name: "Nia New" });
    const self = await selfOf(nia);
    await nia.goto("/reportReview");
    await expect(nia.getByRole("navigation", { name: words("desk.queues") })).toHaveCount(0);
    const ada = await person("ada");
    const panel = await openPersonPanel(ada, "Nia New");
    await chooseTool(panel, "desk.setRole.2");
    await confirmTool(ada, "desk.setRole.2", "desk.setRole.yes");
    await expectToast(ada, "desk.done.role");
    await expect(panel.getByText(words("desk.role.2"))).toBeVisible();

    await nia.goto("/");
    await menuButton(nia).click();
    await nia.keyboard.press("Escape");
    await openDesk(nia, "/reportReview");
    await expect(nia.getByRole("navigation", { name: words("desk.queues") })).toBeVisible();
    await expect(nia.getByRole("radio", { name: words("desk.box.restricted") })).toHaveCount(0);

    await chooseTool(panel, "desk.setRole.0");
    await confirmTool(ada, "desk.setRole.0", "desk.setRole.yes");
    await expect(panel.getByText(words("desk.role.2"))).toHaveCount(0);
    await nia.reload();
    await expect(nia.getByRole("navigation", { name: words("desk.queues") })).toHaveCount(0);
    expect(await loggedOf(product, self.user_id)).toEqual(["role", "role"]);
  },
);

test(
  "opens cases about linked accounts, and acts on a moderator only for an administrator",
  { tag: "@deep" },
  async ({ person, product }) => {
    for (const name of ["Lou Linked", "Lou Twin", "Lou Brother"]) {
      await signInFrom(product.url, { name, device: "device-of-three" });
    }
    const mia = await person("mia");
    const panel = await openPersonPanel(mia, "Lou Linked");
    const same = (name: string) => panel.getByRole("listitem").filter({ hasText: name });
    await expect(same("Lou Twin")).toContainText("device");
    await same("Lou Brother").getByRole("button").click();
    await mia.getByRole("menuitem", { name: words("desk.same.unrelated") }).click();
    await expectToast(mia, "desk.done.unrelated");
    await expect(same("Lou Brother")).toHaveCount(0);
    await expect(same("Lou Twin")).toBeVisible();

    await same("Lou Twin").getByRole("button").click();
    await mia.getByRole("menuitem", { name: words("desk.same.open") }).click();
    await expectToast(mia, "desk.done.linked");
    await same("Lou Twin").getByRole("button").click();
    await mia.getByRole("menuitem", { name: words("desk.same.toCase") }).click();
    await expect(mia).toHaveURL(/\/reportReview$/);
    await expect(mia.getByRole("heading", { level: 2, name: "Lou Twin" })).toBeVisible();
    await expect(mia.getByText(new RegExp(words("desk.rule.cluster").source.slice(1, -1), "u")).first()).toBeVisible();

    const noor = await apiUser(product.url, "noor");
    const { userId: user_id } = noor;
    const before = await loggedOf(product, user_id);
    await noor.ask(userUpdate, { user_id, about: "I look at reports" });
    await choosePerson(mia, "Noor");
    await expectToast(mia, "desk.refused.colleague");
    await expect(mia.getByRole("dialog")).toHaveCount(0);
    expect(await noor.ask(myInfo, { user_id })).toMatchObject({ about: "I look at reports" });
    expect(await loggedOf(product, user_id)).toEqual(before);

    const ada = await person("ada");
    const over = await openPersonPanel(ada, "Noor");
    await expect(over.getByRole("button", { name: words("desk.operation.4") })).toBeVisible();
    await resetField(over, "about");
    expect(await noor.ask(myInfo, { user_id })).toMatchObject({ about: "" });
  },
);
