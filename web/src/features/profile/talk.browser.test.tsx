import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import type { OwnTalk, Talk } from "@fava/wire/talk.ts";
import { t } from "#lib/i18n.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { expectToast } from "#testing/page-steps.ts";
import { openOwnProfile } from "#testing/profile-steps.ts";

const sheet = () => page.getByRole("dialog", { name: t("talk.title") });
const save = () => sheet().getByRole("button", { name: t("profile.save") });
const add = (key: "talk.addLanguage" | "talk.addInterest") => sheet().getByRole("combobox", { name: t(key) });
const remove = (name: string) => sheet().getByRole("button", { name: t("talk.remove", { name }) });
const offer = (name: string) => sheet().getByRole("button", { name: t("talk.add", { name }), exact: true });

async function openTalk({ answers = {}, stored }: { answers?: Answers; stored?: Talk } = {}) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["pt-BR", "en-US", "eo"]);
  const opened = await openOwnProfile({}, answers);
  if (stored) opened.own.talk = { ...opened.own.talk, ...stored };
  await opened.sheet.getByRole("button", { name: t("talk.title") }).click();
  return opened;
}

test("offers the browser's languages, chosen only by a press, and saves all in the order of the presses", async () => {
  const { server, own } = await openTalk();
  await expect.element(offer("Portuguese")).toBeVisible();
  await expect.element(save()).toHaveAttribute("aria-disabled", "true");
  await offer("English").click();
  await add("talk.addLanguage").selectOptions("Arabic");
  await offer("Portuguese").click();
  await add("talk.addInterest").selectOptions("chess");
  await add("talk.addInterest").selectOptions("cycling");
  await remove("Arabic").click();
  await sheet().getByRole("switch").click();
  await save().click();
  await expectToast(t("profile.saved"));
  expect(own.talk).toMatchObject({ languages: [1, 12], interests: [47, 7], prefer: 0 });
  expect(server.asked("talkUpdate")).toMatchObject([{ languages: [1, 12], interests: [47, 7], prefer: 0 }]);
});

test("sends only changes, and an empty list when the last entry was removed", async () => {
  const { server, own } = await openTalk({ stored: { languages: [5], interests: [3], prefer: 1 } });
  await remove("German").click();
  await save().click();
  await expectToast(t("profile.saved"));
  expect(server.asked("talkUpdate")).toMatchObject([{ languages: [] }]);
  expect(server.asked("talkUpdate")[0]).not.toHaveProperty("interests");
  expect(own.talk).toMatchObject({ languages: [], interests: [3], prefer: 1 });
});

test("offers no more languages after five", async () => {
  await openTalk({ stored: { languages: [5, 6, 7, 9], interests: [], prefer: 1 } });
  await offer("English").click();
  await expect.element(add("talk.addLanguage")).not.toBeInTheDocument();
  await expect.element(offer("Portuguese")).not.toBeInTheDocument();
  await expect.element(add("talk.addInterest")).toBeVisible();
});

test("tells a user who chooses a sign language what that may reveal, and to whom", async () => {
  await openTalk();
  await expect.element(sheet().getByText(t("talk.signHint"))).not.toBeInTheDocument();
  await add("talk.addLanguage").selectOptions(t("talk.sign"));
  await expect.element(sheet().getByText(t("talk.signHint"))).toBeVisible();
});

test.each([
  [codes.slowDown, "talk.tooOften"],
  [codes.serverError, "profile.saveFailed"],
] as const)("shows a failed save (%s), and loses nothing", async (code, key) => {
  const { server, own } = await openTalk({ answers: { talkUpdate: new Refusal(code) } });
  await add("talk.addInterest").selectOptions("chess");
  await save().click();
  await expect.element(sheet().getByText(t(key))).toBeVisible();
  await expect.element(remove("chess")).toBeVisible();
  server.answer(own.answers);
  await save().click();
  await expectToast(t("profile.saved"));
  expect(own.talk.interests).toEqual([47]);
});

test("keeps unsaved choices during a look at the profile, and asks on closing", async () => {
  await openTalk();
  await add("talk.addInterest").selectOptions("chess");
  await sheet()
    .getByRole("button", { name: t("common.back") })
    .click();
  const profile = page.getByRole("dialog", { name: t("profile.title") });
  await profile.getByRole("button", { name: t("common.close") }).click();
  const question = page.getByRole("alertdialog", { name: t("profile.discardTitle") });
  await question.getByRole("button", { name: t("profile.keepEditing") }).click();
  await profile.getByRole("button", { name: t("talk.title") }).click();
  await expect.element(remove("chess")).toBeVisible();
});

test("keeps a choice that is made during a save visible, and saves it next", async () => {
  const { server, own } = await openTalk();
  const stored = heldAnswer<OwnTalk>();
  server.answer({ talkUpdate: () => stored.answer });
  await add("talk.addInterest").selectOptions("chess");
  await save().click();
  await expect.poll(() => server.asked("talkUpdate")).toMatchObject([{ interests: [47] }]);
  await offer("English").click();
  own.talk = { ...own.talk, interests: [47] };
  stored.give(own.talk);
  await expect.element(save()).not.toHaveAttribute("aria-busy");
  await expect.element(remove("English")).toBeVisible();
  server.answer(own.answers);
  await save().click();
  await expectToast(t("profile.saved"));
  expect(own.talk).toMatchObject({ languages: [1], interests: [47] });
});

test("loads languages again that could not be loaded", async () => {
  const { server, own } = await openTalk({ answers: { talkInfo: new Refusal(codes.serverError) } });
  await expect.element(sheet().getByText(t("talk.loadFailed"))).toBeVisible();
  server.answer(own.answers);
  await sheet()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.element(offer("Portuguese")).toBeVisible();
});
