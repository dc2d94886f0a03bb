import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { type Key, t } from "#lib/i18n.ts";
import { ada } from "#testing/admin-fixtures.ts";
import { deskPersonOf } from "#testing/desk-case-fixtures.ts";
import { deskAnswers } from "#testing/desk-fixtures.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";

const panel = () => page.getByRole("complementary", { name: "Marko" });
const dialogs = () => page.getByRole("dialog").elements().length;

async function chooseTool(key: Key): Promise<void> {
  await panel()
    .getByRole("button", { name: t("desk.tools") })
    .click();
  await page.getByRole("menuitem", { name: t(key), exact: true }).click();
}

async function confirm(title: Key, yes: Key): Promise<void> {
  const question = page.getByRole("alertdialog", { name: t(title) });
  // Enter alone must not confirm an irreversible action.
  await expect.element(question.getByRole("button", { name: t("common.cancel") })).toHaveFocus();
  await question.getByRole("button", { name: t(yes) }).click();
}

test("toggles a label by its digit, and saves a note by Ctrl and Enter", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  const labels = page.getByRole("dialog", { name: t("desk.labels.title", { name: isolate("Marko") }) });
  server.answer({ adminPerson: deskPersonOf(0, Date.now(), { labels: [1, 2, 4] }) });
  await userEvent.keyboard("l");
  await expect.element(labels).toBeVisible();
  await userEvent.keyboard("4");
  await expectToast(t("desk.done.label"));
  await expect.element(labels.getByRole("button", { name: t("desk.label.4"), pressed: true })).toBeVisible();
  await userEvent.keyboard("1");
  await expectToast(t("desk.done.unlabel"));
  expect(server.asked("adminLabeling").map(({ label_id, on }) => [label_id, on])).toEqual([
    [4, 1],
    [1, 0],
  ]);
  await userEvent.keyboard("{Escape}");
  await expect.poll(dialogs).toBe(0);
  await expect.element(panel().getByText(t("desk.label.4"))).toBeVisible();

  await userEvent.keyboard("n");
  await expect.element(page.getByRole("textbox")).toHaveFocus();
  await userEvent.keyboard("Was warned before.{Control>}{Enter}{/Control}");
  await expectToast(t("desk.done.note"));
  await expect.poll(dialogs).toBe(0);
  expect(server.asked("adminNote")).toMatchObject([{ text: "Was warned before." }]);
});

test("deletes one image or all of a user, as nudity if chosen, without showing any", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  await chooseTool("desk.images.delete");
  const sheet = page.getByRole("dialog", { name: t("desk.images.title", { name: "Marko" }) });
  await expect.poll(() => sheet.getByRole("listitem").elements().length).toBe(3);
  expect(sheet.getByRole("img").elements()).toEqual([]);
  const { images } = deskPersonOf(0, Date.now());
  server.answer({ adminPerson: deskPersonOf(0, Date.now(), { images: images.slice(1) }) });
  await sheet.getByRole("button", { name: t("desk.images.one", { n: 1 }) }).click();
  await expectToast(t("desk.done.image"));
  await sheet.getByRole("checkbox", { name: t("desk.images.nudity") }).click();
  await sheet.getByRole("button", { name: t("desk.images.all", { count: 2 }) }).click();
  await expectToast(t("desk.done.images"));
  await expect.poll(dialogs).toBe(0);
  expect(server.asked("adminImageDelete")).toMatchObject([{ id: "i1" }]);
  expect(server.asked("adminImageDelete")[0]).not.toHaveProperty("reason_id");
  expect(server.asked("adminImagesDelete")).toMatchObject([{ reason_id: 1 }]);
});

test("says why the server rejects a tool on a colleague", async () => {
  const server = await openDesk("/reportReview", { adminReset: new Refusal(403, { reason: "colleague" }) });
  await openFirstCase();
  await chooseTool("desk.reset.about");
  await confirm("desk.reset.about", "desk.reset.yes");
  await expectToast(t("desk.refused.colleague"));
  expect(server.asked("adminReset")).toMatchObject([{ field: "about" }]);
  expect(server.asked("adminPerson")).toEqual([]);
});

test("shows the tools for roles, birthday and gender to administrators", async () => {
  const server = await openPage({ as: ada, path: "/reportReview", answers: deskAnswers() });
  await openFirstCase();
  await chooseTool("desk.setRole.2");
  await confirm("desk.setRole.2", "desk.setRole.yes");
  await expectToast(t("desk.done.role"));
  expect(server.asked("adminSetRole")).toMatchObject([{ role: 2 }]);
  await chooseTool("desk.reset.birthday");
  await confirm("desk.reset.birthday", "desk.reset.yes");
  await expectToast(t("desk.done.reset"));
});

test("hides the tools for roles, birthday and gender from moderators", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  await panel()
    .getByRole("button", { name: t("desk.tools") })
    .click();
  await expect.element(page.getByRole("menuitem", { name: t("desk.reset.about") })).toBeVisible();
  for (const key of [
    "desk.setRole.0",
    "desk.setRole.2",
    "desk.setRole.3",
    "desk.reset.birthday",
    "desk.reset.sex",
  ] as const)
    expect(page.getByRole("menuitem", { name: t(key) }).elements()).toEqual([]);
  await userEvent.keyboard("{Escape}");
});

test("asks before a second ban of a banned user, and bans only after a yes", async () => {
  const server = await openDesk("/reportReview/figures", {
    adminQuickForbid: ({ again }) =>
      again === 1 ? { state: "decided" } : new Refusal(406, { reason: "already_banned", until: null }),
  });
  await userEvent.keyboard("{Control>}k{/Control}");
  await page.getByRole("dialog").getByRole("searchbox").fill("Marko");
  await userEvent.keyboard("{Enter}");
  await page.getByRole("dialog").getByRole("button", { name: "Marko" }).last().click();
  const forbid = async () => {
    await page.getByRole("button", { name: t("desk.operation.4") }).click();
    const sheet = page.getByRole("dialog", { name: t("desk.forbid.title", { name: isolate("Marko") }) });
    await userEvent.keyboard("1");
    await userEvent.selectOptions(sheet.getByRole("combobox"), "2");
    await sheet.getByRole("button", { name: t("desk.forbid.do", { length: t("desk.hours.24") }) }).click();
  };
  const question = page.getByRole("alertdialog", { name: t("desk.forbid.again", { name: isolate("Marko") }) });
  await forbid();
  await expect.element(question.getByText(t("desk.refused.banned"))).toBeVisible();
  await expect.element(question.getByRole("button", { name: t("common.cancel") })).toHaveFocus();
  await question.getByRole("button", { name: t("common.cancel") }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(server.asked("adminQuickForbid")).toMatchObject([{ again: 0 }]);
  await forbid();
  await question.getByRole("button", { name: t("desk.forbid.againYes") }).click();
  await expectToast(t("desk.done.forbid", { name: isolate("Marko") }));
  expect(server.asked("adminQuickForbid").slice(1)).toMatchObject([
    { again: 0, hours: 24, reason_id: 2 },
    { again: 1, hours: 24, reason_id: 2 },
  ]);
});

test("shows three linked accounts below the history, and the others on request", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  const menus = new RegExp(`^${t("desk.same.menu", { name: "" }).trim()}`, "u");
  const rows = () => panel().getByRole("button", { name: menus }).elements().length;
  await expect.poll(rows).toBe(3);
  const [history, same] = ["desk.earlier", "desk.same"].map((key) =>
    panel()
      .getByRole("heading", { name: startOf(key as Key) })
      .element()
      .getBoundingClientRect(),
  );
  expect(same?.top).toBeGreaterThan(history?.bottom ?? 0);
  await panel()
    .getByRole("button", { name: t("desk.same.all", { number: "4" }) })
    .click();
  await expect.poll(rows).toBe(4);
});

test("looks for similar profiles on a press, and loads them again after one was judged", async () => {
  const server = await openDesk("/reportReview");
  await openFirstCase();
  expect(server.asked("adminSameIp")).toEqual([]);
  await panel()
    .getByRole("button", { name: t("desk.similar.find") })
    .click();
  await expect.element(panel().getByText(t("desk.same.picture"))).toBeVisible();
  expect(server.asked("adminSameIp")).toMatchObject([{ by: "profile" }]);
  await panel()
    .getByRole("button", { name: t("desk.same.menu", { name: "Inês" }) })
    .last()
    .click();
  server.answer({ adminSameIp: { rows: [] } });
  await page.getByRole("menuitem", { name: t("desk.same.unrelated") }).click();
  await expect.poll(() => server.asked("adminSameIp")).toHaveLength(2);
  await expect.element(panel().getByText(t("desk.same.picture"))).not.toBeInTheDocument();
});
