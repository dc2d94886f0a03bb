import { expect, type Page } from "@playwright/test";
import {
  addPhotos,
  chooseTool,
  confirmTool,
  openDesk,
  openPersonPanel,
  resetField,
  showAvatar,
  signInFrom,
} from "./support/desk-person.ts";
import { callAs, selfOf } from "./support/friends.ts";
import { expectToast, test } from "./support/people.ts";
import { drawBlots, drawPicture } from "./support/pictures.ts";
import { rowsOf } from "./support/product-database.ts";
import { words } from "./support/words.ts";

test.use({ environment: { MODERATION: "marker" } });

const sentWithinMs = 30_000;
const menuButton = (page: Page) => page.getByRole("button", { name: words("home.account") });
const undoBar = (page: Page) => page.getByRole("status").filter({ has: page.getByRole("button", { name: /^Undo/ }) });

/** Kinds of what moderators did about somebody, as the log has them. */
async function loggedOf(product: Parameters<typeof rowsOf>[0], userId: number): Promise<unknown[]> {
  const rows = await rowsOf(product, "select kind from audit_log where subject_id = $1 and actor_id is not null", [
    userId,
  ]);
  return rows.map(({ kind }) => kind);
}

test("[DESK-61] nickname, about text and avatar are taken back: at once, for everybody, and written down", async ({
  person,
  product,
}) => {
  const mia = await person("mia");
  const ria = await person({ name: "Ria Rude" });
  const self = await selfOf(ria);
  await callAs(ria, "/api/user/update", { user_id: self.user_id, about: "Something that should be gone" });
  await showAvatar(ria, mia, await drawPicture(ria, 300, 300));

  const panel = await openPersonPanel(mia, "Ria Rude");
  await expect(panel.getByText("Something that should be gone")).toBeVisible();
  await expect(panel.locator("header img").first()).toBeVisible();
  await resetField(panel, "about");
  await expect(panel.getByText("Something that should be gone")).toHaveCount(0);
  await resetField(panel, "avatar");
  await expect(panel.getByRole("img", { name: "Ria Rude" })).toHaveCount(0);
  await resetField(panel, "nickname");
  const renamed = mia.getByRole("dialog", { name: self.user_no });
  await expect(renamed).toBeVisible();

  expect(await selfOf(ria)).toMatchObject({ nickname: self.user_no, about: "", avatar: "", nickname_next: null });
  await ria.reload();
  await expect(menuButton(ria)).toBeVisible();
  await expect(menuButton(ria).locator("img")).toHaveCount(0);
  expect(await loggedOf(product, self.user_id)).toEqual(["image_approve", "reset", "reset", "reset"]);
});

test("[DESK-62] one picture and then all are deleted; what showed nudity cannot be uploaded again by anybody", async ({
  person,
  product,
}) => {
  const [mia, pia, sly] = await Promise.all([
    person("mia"),
    person({ name: "Pia Pictures" }),
    person({ name: "Sly Second" }),
  ]);
  const [first, second, third] = await Promise.all([drawBlots(pia, 1), drawBlots(pia, 2), drawBlots(pia, 3)]);
  await addPhotos(pia, [first, second, third]);
  const self = await selfOf(pia);

  const panel = await openPersonPanel(mia, "Pia Pictures");
  await chooseTool(panel, "desk.images.delete");
  const sheet = mia.getByRole("dialog", { name: words("desk.images.title", { name: "Pia Pictures" }) });
  await expect(sheet.getByRole("listitem")).toHaveCount(3);
  await expect(sheet.getByRole("img")).toHaveCount(0);
  await sheet.getByRole("button", { name: words("desk.images.one", { n: "1" }) }).click();
  await expectToast(mia, "desk.done.image");
  await expect(sheet.getByRole("listitem")).toHaveCount(2);
  await sheet.getByRole("checkbox", { name: words("desk.images.nudity") }).check();
  await sheet.getByRole("button", { name: "Delete all 2 pictures" }).click();
  await expectToast(mia, "desk.done.images");
  await expect(sheet).toBeHidden();

  const { photos } = await callAs(pia, "/api/new/photo", { user_id: self.user_id });
  expect(photos).toEqual([]);
  const removed = await rowsOf(product, "select reason_id from removed_pictures");
  expect(removed).toEqual([{ reason_id: 1 }, { reason_id: 1 }]);
  expect(await loggedOf(product, self.user_id)).toEqual(["image_delete", "images_delete"]);

  await addPhotos(sly, [second, first]);
  const { user_id } = await selfOf(sly);
  const again = await callAs(sly, "/api/new/photo", { user_id });
  expect(again["photos"]).toMatchObject([{ status: "refused", reason_id: 1 }, { status: "pending" }]);
});

test("[DESK-63] an administrator makes somebody a moderator, who sees the desk at once, and no longer when it is taken back", async ({
  person,
  product,
}) => {
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
});

test("[DESK-64] accounts of one device are shown; a case can be opened about one, and another said to be unrelated", async ({
  person,
  product,
}) => {
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
});

test("[DESK-66] a moderator's tools do nothing about a colleague, and say why; an administrator's do", async ({
  person,
  product,
}) => {
  const [noor, mia, ada] = [await person("noor"), await person("mia"), await person("ada")];
  const { user_id } = await selfOf(noor);
  await callAs(noor, "/api/user/update", { user_id, about: "I look at reports" });
  const panel = await openPersonPanel(mia, "Noor");
  await expect(panel.getByRole("button", { name: words("desk.operation.4") })).toHaveCount(0);
  await chooseTool(panel, "desk.reset.about");
  await confirmTool(mia, "desk.reset.about", "desk.reset.yes");
  await expectToast(mia, "desk.refused.colleague");
  expect(await selfOf(noor)).toMatchObject({ about: "I look at reports" });
  expect(await loggedOf(product, user_id)).toEqual([]);

  const over = await openPersonPanel(ada, "Noor");
  await expect(over.getByRole("button", { name: words("desk.operation.4") })).toBeVisible();
  await resetField(over, "about");
  expect(await selfOf(noor)).toMatchObject({ about: "" });
});

test("[DESK-67] random checks that were seen are approved together, undone together, and sent when the time is over", async ({
  person,
  product,
}) => {
  const bea = await person({ name: "Bea Bulk" });
  await addPhotos(bea, await Promise.all([4, 5, 6].map((seed) => drawBlots(bea, seed))));
  const { user_id } = await selfOf(bea);
  await rowsOf(product, "update images set why = 'random' where user_id = $1", [user_id]);
  const mia = await person("mia");
  await openDesk(mia, "/photoReview");
  await mia
    .getByRole("group", { name: words("desk.review.filter") })
    .getByRole("button", { name: /Random/ })
    .click();
  const cards = mia.getByRole("listitem").filter({ hasText: "Bea Bulk" });
  await expect(cards).toHaveCount(3);
  const together = mia.getByRole("button", { name: "Approve 3 seen random checks" });
  await together.click();
  await expect(cards.getByText(words("desk.review.approved"))).toHaveCount(3);
  await expect(undoBar(mia)).toContainText("3 random checks approved");
  await mia.keyboard.press("u");
  await expect(cards.getByText(words("desk.review.approved"))).toHaveCount(0);
  const statuses = async () =>
    (await rowsOf(product, "select status from images where user_id = $1 order by id", [user_id])).map(
      ({ status }) => status,
    );
  expect(await statuses()).toEqual(["pending", "pending", "pending"]);
  await together.click();
  await expect(undoBar(mia)).toBeHidden({ timeout: sentWithinMs });
  await expect.poll(statuses).toEqual(["approved", "approved", "approved"]);
});

test("[DESK-69] ? shows every key of the tab, and each of them works nowhere else", async ({ person }) => {
  const mia = await person("mia");
  const keys = mia.getByRole("dialog", { name: words("desk.keys") });
  for (const [path, shown] of [
    ["/reportReview", ["J", "K", "Enter", "S", "A", "R", "W", "B", "L", "N", "U", "Ctrl K", "?"]],
    ["/photoReview", ["V", "G", "A", "R", "U", "?"]],
  ] as const) {
    await openDesk(mia, path);
    await mia.keyboard.press("?");
    await expect(keys).toBeVisible();
    for (const key of shown) await expect(keys.locator("kbd").getByText(key, { exact: true })).toBeVisible();
    // Behind the sheet nothing moves: no second dialog, no other layout.
    for (const key of ["l", "b", "n", "v"]) await mia.keyboard.press(key);
    await expect(mia.getByRole("dialog")).toHaveCount(1);
    await mia.keyboard.press("Escape");
    await expect(keys).toBeHidden();
  }
});
