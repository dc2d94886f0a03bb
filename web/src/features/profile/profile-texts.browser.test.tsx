import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { formatTime } from "#lib/format-date.ts";
import { t } from "#lib/i18n.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { ana, portraitOf } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { dialogsGone } from "#testing/open-page.tsx";
import { chooseInMenu, expectToast } from "#testing/page-steps.ts";
import { openOwnProfile, openProfileAgain, profile } from "#testing/profile-steps.ts";
import { ownImage } from "#testing/profile-fixtures.ts";

const about = () => profile().getByLabelText(t("profile.about"));
const name = () => profile().getByRole("textbox", { name: t("profile.name") });
const save = () => profile().getByRole("button", { name: t("profile.save") });
const press = async (button: Locator) => {
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
};

test("warns of a phone number in about-me while the user types, and saves it without", async () => {
  const { server, own, sheet } = await openOwnProfile();
  await expect.element(sheet.getByText(t("profile.nothing"))).toBeVisible();
  await about().fill("Cook, cyclist. Call 0770 900 1234");
  await expect.element(sheet.getByText(t("profile.found.phone"))).toBeVisible();
  await expect.element(save()).toHaveAttribute("aria-disabled", "true");
  await press(save());
  await expect.element(about()).toHaveFocus();
  expect(server.asked("userUpdate")).toEqual([]);
  await about().fill("Cook, cyclist.");
  await expect.element(sheet.getByText(t("profile.found.phone"))).not.toBeInTheDocument();
  await sheet.getByLabelText(t("profile.location")).fill("Bristol");
  await save().click();
  await expectToast(t("profile.saved"));
  expect(server.asked("userUpdate")).toMatchObject([{ about: "Cook, cyclist.", location: "Bristol" }]);
  await about().fill(" ");
  await expect.element(sheet.getByText(t("profile.aboutEmpty"))).toBeVisible();
  await expect.element(save()).toHaveAttribute("aria-disabled", "true");
  await name().fill("");
  await expect.element(sheet.getByText(t("profile.nameEmpty"))).toBeVisible();
  await about().fill("Cook, cyclist.");
  await name().fill("Ana");
  // Only the location can be emptied.
  await sheet.getByLabelText(t("profile.location")).fill("");
  await save().click();
  await expect.poll(() => own.user.location).toBe("");
  expect(own.user.about).toBe("Cook, cyclist.");
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await openProfileAgain();
  await expect.element(about()).toHaveValue("Cook, cyclist.");
});

test.each([
  ["personal_data", "address", "profile.found.address"],
  ["abusive_text", "solicitation", "profile.found.hurtful"],
] as const)("shows beside its field why a text was rejected as %s for %s", async (reason, finding, key) => {
  const data = { reason, field: "about", findings: [finding] };
  const { sheet } = await openOwnProfile({}, { userUpdate: new Refusal(codes.refused, data, "no") });
  await about().fill("What only the server judges");
  await save().click();
  await expect.element(sheet.getByText(t(key))).toBeVisible();
});

const refusedAbout = (start: number, end: number) =>
  new Refusal(codes.refused, {
    reason: "personal_data",
    field: "about",
    findings: ["phone"],
    spans: [{ start, end, finding: "phone" }],
  });
const ask = () => profile().getByRole("button", { name: t("asked.press") });

test("marks what was found in a rejected text, asks a moderator, and shows the old text meanwhile", async () => {
  const text = "We won 21-19 18-21 21-15";
  const { server, own, sheet } = await openOwnProfile({ about: "Cook" }, { userUpdate: refusedAbout(7, 24) });
  await about().fill(text);
  await save().click();
  await expect.element(sheet.getByText(t("asked.found"))).toBeVisible();
  expect(sheet.element().querySelector("mark")?.textContent).toBe("21-19 18-21 21-15");
  const due_at = Date.now() + 86_400_000;
  server.answer({ textAsk: { due_at } });
  await ask().click();
  await expect.element(sheet.getByText(t("asked.promised", { time: formatTime(due_at) }))).toBeVisible();
  expect(server.asked("textAsk")).toMatchObject([{ place: "about", text }]);
  await expect.element(about()).toHaveValue("Cook");
  await expect.element(about()).toHaveFocus();
  await expect.element(ask()).not.toBeInTheDocument();
  server.answer(own.answers);
  await sheet.getByLabelText(t("profile.location")).fill("Bristol");
  await save().click();
  await expectToast(t("profile.saved"));
});

test("shows a text in its field that a moderator accepts while the profile is open", async () => {
  const { server, own, sheet } = await openOwnProfile({ about: "Cook" }, { userUpdate: refusedAbout(7, 24) });
  await about().fill("We won 21-19 18-21 21-15");
  await save().click();
  server.answer({ textAsk: { due_at: Date.now() + 86_400_000 } });
  await ask().click();
  await expect.element(about()).toHaveValue("Cook");
  own.user = { ...own.user, about: "We won 21-19 18-21 21-15" };
  server.answer(own.answers);
  server.socket.push({ code: pushCodes.systemNotice });
  await expect.element(about()).toHaveValue("We won 21-19 18-21 21-15");
  await expect.element(sheet.getByText(t("profile.nothing"))).toBeVisible();
});

test("saves a text to which only the page objects once the server accepts it", async () => {
  const { server, sheet } = await openOwnProfile();
  await about().fill("Call 0770 900 1234");
  await expect.element(sheet.getByText(t("profile.found.phone"))).toBeVisible();
  server.answer({ textAsk: new Refusal(codes.badInput, { field: "text" }) });
  await ask().click();
  await expect.element(sheet.getByText(t("profile.found.phone"))).not.toBeInTheDocument();
  await save().click();
  await expectToast(t("profile.saved"));
});

test("says that a moderator has rejected a text before, and does not ask again", async () => {
  const { server, sheet } = await openOwnProfile();
  await about().fill("Call 0770 900 1234");
  server.answer({ textAsk: new Refusal(codes.refused, { reason: "answered_before", field: "about" }) });
  await ask().click();
  await expect.element(sheet.getByText(t("refused.answered_before"))).toBeVisible();
  await expect.element(ask()).not.toBeInTheDocument();
});

test("asks nobody about a reserved or an invisible name", async () => {
  const data = { reason: "name_reserved", field: "nickname" };
  const { sheet } = await openOwnProfile({}, { userUpdate: new Refusal(codes.refused, data, "no") });
  await name().fill("Fava Support");
  await save().click();
  await expect.element(sheet.getByText(t("refused.name_reserved"))).toBeVisible();
  await expect.element(ask()).not.toBeInTheDocument();
  await name().fill("\u3164");
  await expect.element(sheet.getByText(t("refused.invisible_text"))).toBeVisible();
  await expect.element(ask()).not.toBeInTheDocument();
});

test("rejects a reserved name at its field", async () => {
  const data = { reason: "name_reserved", field: "nickname" };
  const { sheet } = await openOwnProfile({}, { userUpdate: new Refusal(codes.refused, data, "no") });
  await name().fill("Fava Support");
  await save().click();
  await expect.element(sheet.getByText(t("refused.name_reserved"))).toBeVisible();
  await expect.element(name()).toHaveAttribute("aria-invalid", "true");
});

test("rejects an invisible name while it is typed, and does not send it", async () => {
  const { server, sheet } = await openOwnProfile();
  await name().fill("\u3164");
  await expect.element(sheet.getByText(t("refused.invisible_text"))).toBeVisible();
  await press(save());
  expect(server.asked("userUpdate")).toEqual([]);
});

test("shows what only the server finds at its field", async () => {
  const findings = { reason: "personal_data", field: "about", findings: ["account_number"] };
  const { server, own, sheet } = await openOwnProfile({}, { userUpdate: new Refusal(codes.refused, findings, "no") });
  await about().fill("Something that only the server knows");
  await save().click();
  await expect.element(sheet.getByText(t("profile.found.account_number"))).toBeVisible();
  await expect.element(about()).toHaveAttribute("aria-invalid", "true");
  // The focus ring of an invalid field is as red as its border.
  await about().click();
  const { outlineColor, borderTopColor } = getComputedStyle(about().element());
  expect(outlineColor).toBe(borderTopColor);
  server.answer(own.answers);
  await about().fill("Something else");
  await expect.element(sheet.getByText(t("profile.found.account_number"))).not.toBeInTheDocument();
  await save().click();
  await expectToast(t("profile.saved"));
});

test("reports a failed save, and keeps everything that was written", async () => {
  const { server, own, sheet } = await openOwnProfile({}, { userUpdate: new Refusal(codes.serverError) });
  await about().fill("Cook, cyclist.");
  await save().click();
  await expect.element(sheet.getByText(t("profile.saveFailed"))).toBeVisible();
  await expect.element(about()).toHaveValue("Cook, cyclist.");
  server.answer(own.answers);
  await save().click();
  await expectToast(t("profile.saved"));
});

test("keeps a text that is written during a save, and saves it next", async () => {
  const { server, own } = await openOwnProfile();
  const stored = heldAnswer<OwnUser>();
  server.answer({ userUpdate: () => stored.answer });
  await about().fill("Cook");
  await save().click();
  await expect.poll(() => server.asked("userUpdate")).toMatchObject([{ about: "Cook" }]);
  await about().fill("Cook, cyclist.");
  stored.give({ ...own.user, about: "Cook" });
  await expect.element(save()).not.toHaveAttribute("aria-busy");
  await expect.element(about()).toHaveValue("Cook, cyclist.");
  server.answer(own.answers);
  await save().click();
  await expectToast(t("profile.saved"));
  expect(own.user.about).toBe("Cook, cyclist.");
});

test("shows gender, birthday, country and number as text, with the reason, and when the name can change", async () => {
  const { sheet } = await openOwnProfile({ birthday: "1995-05-15", birth_year: 1995 });
  const facts = sheet.getByRole("region", { name: t("profile.facts") });
  await expect.element(facts.getByText("May 15, 1995")).toBeVisible();
  await expect.element(facts.getByText(t("gender.female"))).toBeVisible();
  await expect.element(facts.getByText("Brazil")).toBeVisible();
  await expect.element(facts.getByText(/1048\s?1234/)).toBeVisible();
  await expect.element(facts.getByText(/We ask your gender and birthday once/)).toBeVisible();
  expect(facts.getByRole("textbox").elements()).toEqual([]);
  await name().fill("Facts Two");
  await save().click();
  await expectToast(t("profile.saved"));
  await expect.element(sheet.getByText(t("profile.nameNext", { day: dayIn(30) }))).toBeVisible();
  await expect.element(name()).not.toBeInTheDocument();
});

test("shows the profile as others see it: what is stored and approved", async () => {
  const { own, sheet } = await openOwnProfile({ nickname: "Facts One" });
  const passed = ownImage("passed", { status: "approved" });
  own.photos = [passed, ownImage("waits"), ownImage("refused", { status: "refused", reason_id: 1 })];
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await openProfileAgain();
  await about().fill("Not saved yet");
  await sheet.getByRole("button", { name: t("profile.preview") }).click();
  const preview = page.getByRole("dialog", { name: t("profile.preview") });
  await expect.element(preview.getByText("Facts One")).toBeVisible();
  await expect.element(preview.getByText(t("profile.previewNoAbout"))).toBeVisible();
  const shown = preview.getByRole("listitem").getByRole("img").elements();
  expect(shown.map((image) => image.getAttribute("src"))).toEqual([portraitOf("passed")]);
  await preview.getByRole("button", { name: t("common.back") }).click();
  await expect.element(about()).toHaveValue("Not saved yet");
});

test("saves the switch for friends' rings with the rest", async () => {
  const { server, sheet } = await openOwnProfile();
  const ringable = sheet.getByRole("switch", { name: t("ring.friendsMay") });
  await expect.element(ringable).toBeChecked();
  await ringable.click();
  await save().click();
  await expect.poll(() => server.asked("userUpdate")).toMatchObject([{ ringable: 0 }]);
});

test("asks before the profile closes with unsaved changes, and loses nothing without a question", async () => {
  const { server, sheet } = await openOwnProfile();
  await name().fill("Facts Two");
  await userEvent.keyboard("{Escape}");
  const question = page.getByRole("alertdialog", { name: t("profile.discardTitle") });
  await question.getByRole("button", { name: t("profile.keepEditing") }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(name()).toHaveValue("Facts Two");
  await name().fill("Ana");
  await sheet.getByRole("switch", { name: t("profile.searchable") }).click();
  await expect.element(sheet.getByRole("switch", { name: t("profile.searchable") })).not.toBeChecked();
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await question.getByRole("button", { name: t("profile.discard"), exact: true }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await openProfileAgain();
  await expect.element(sheet.getByRole("switch", { name: t("profile.searchable") })).toBeChecked();
  expect(server.asked("userUpdate")).toEqual([]);
  // Without a change the dialog closes without a question.
  await userEvent.keyboard("{Escape}");
  await expect.element(sheet).not.toBeInTheDocument();
});

test("rejects a name that was just changed on another page, with the day of the next change", async () => {
  const { server, own, sheet } = await openOwnProfile({ nickname: "Name First" });
  const nickname_next = Date.now() + 30 * 86_400_000;
  server.answer({ userUpdate: new Refusal(codes.refused, { reason: "nickname_too_soon", until: nickname_next }) });
  own.user = { ...own.user, nickname: "Name Second", nickname_next };
  await name().fill("Name Third");
  await save().click();
  await expect.element(sheet.getByText(t("refused.nickname_too_soon"))).toBeVisible();
  await expect.element(sheet.getByText(t("profile.nameNext", { day: dayIn(30) }))).toBeVisible();
  await expect.element(sheet.getByText("Name Second")).toBeVisible();
  await expect.element(name()).not.toBeInTheDocument();
  await expect.element(about()).toHaveValue(ana.about);
});

test("reports images that could not be loaded, and loads them again on request", async () => {
  const { server, own, sheet } = await openOwnProfile();
  await sheet.getByRole("button", { name: t("common.close") }).click();
  await dialogsGone();
  server.answer({ newPhoto: new Refusal(codes.serverError) });
  await chooseInMenu("menu.profile");
  await expect.element(sheet.getByText(t("photo.loadFailed"))).toBeVisible();
  server.answer(own.answers);
  await sheet.getByRole("button", { name: t("common.retry") }).click();
  await expect.element(sheet.getByRole("button", { name: t("photo.addLong") })).toBeVisible();
});

/** The text of a day that is this many days from now. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toLocaleDateString("en-US", { month: "short", day: "numeric" });
}
