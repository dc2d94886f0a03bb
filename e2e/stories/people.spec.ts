import { expect } from "@playwright/test";
import { befriend, selfOf } from "../support/friends.ts";
import { openFromList, openMenu, panel, row, startThread, write } from "../support/messages-panel.ts";
import { followButton, openPeoplePanel, rowOf } from "../support/people-panel.ts";
import { test, toasts } from "../support/people.ts";
import { words } from "../support/words.ts";

test("hides a conversation on both sides at a block, and restores it on Undo", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Blocks" }), person({ name: "Bo Blocked" })]);
  await befriend(ana, bo);
  await startThread(bo, "Ana Blocks");
  await write(bo, "hello?");
  await openFromList(ana, "Bo Blocked");
  await openMenu(ana, "Bo Blocked");
  await ana.getByRole("menuitem", { name: words("msg.block") }).click();
  await expect(toasts(ana).getByText(words("people.blockedToast", { name: "Bo Blocked" }))).toBeVisible();
  await expect(row(ana, "Bo Blocked")).toHaveCount(0);
  await expect(row(bo, "Ana Blocks")).toHaveCount(0);
  await expect(panel(bo).getByRole("textbox")).toHaveCount(0);
  await ana.getByRole("button", { name: words("people.undo") }).click();
  await expect(row(ana, "Bo Blocked")).toBeVisible();
  // The messages are back, but the two are no longer friends.
  await row(ana, "Bo Blocked").click();
  await expect(panel(ana).getByText(words("msg.closed", { name: "Bo Blocked" }))).toBeVisible();
});

test("finds a user by nickname and number, and opens the profile", { tag: "@deep" }, async ({ person }) => {
  const [yara, zoe] = await Promise.all([person({ name: "Yara" }), person({ name: "Zoe Quince" })]);
  const { user_no: number } = await selfOf(zoe);
  await zoe.close();
  const list = await openPeoplePanel(yara);
  await list.getByRole("button", { name: words("find.title") }).click();
  const find = yara.getByRole("dialog", { name: words("find.title") });
  await find.getByRole("searchbox").fill("nobody has this name");
  await find.getByRole("searchbox").press("Enter");
  await expect(find.getByText(words("find.nobody"))).toBeVisible();
  await find.getByRole("searchbox").fill("zoe qu");
  await find.getByRole("button", { name: words("find.go") }).click();
  await rowOf(find, "Zoe Quince")
    .getByRole("button", { name: words("people.profileOf", { name: "Zoe Quince" }) })
    .click();
  const profile = yara.getByRole("dialog", { name: "Zoe Quince" });
  await followButton(profile, "follow").click();
  await expect(followButton(profile, "following")).toBeVisible();
  await expect(profile.getByText(words("other.noMessage"))).toBeVisible();
  await expect(profile.getByText(words("other.number", { number }))).toBeVisible();
  await yara.keyboard.press("Escape");
  await expect(followButton(rowOf(find, "Zoe Quince"), "following")).toBeVisible();
  await find.getByRole("searchbox").fill(number);
  await find.getByRole("searchbox").press("Enter");
  await expect(rowOf(find, "Zoe Quince")).toBeVisible();
  await find.getByLabel(words("find.sex")).selectOption("1");
  await expect(find.getByText(words("find.nobody"))).toBeVisible();
});
