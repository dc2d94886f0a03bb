import { afterEach, beforeEach, expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { type Key, t } from "#lib/i18n.ts";
import { accountInfo } from "#testing/account-fixtures.ts";
import { expectCallState, expectHome, meet } from "#testing/call-page.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { choose, chooseInMenu, expectFocusSeen, expectOnTitle, press, tabTo, watchPointers } from "#testing/keys.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";
import { nobodyAnswers, relationAnswers } from "#testing/people-fixtures.ts";
import { installRemotePerson } from "#testing/remote-person.ts";
import { OwnProfile } from "#testing/profile-fixtures.ts";

// Fails each test that uses a mouse or touch.
let pointers: () => number;
beforeEach(() => void (pointers = watchPointers()));
afterEach(() => {
  if (pointers() > 0) throw new Error("the test used a pointer");
});

const dialog = (key: Key) => page.getByRole("dialog", { name: t(key) });
const button = (key: Key, place: Pick<Locator, "getByRole"> = page) => place.getByRole("button", { name: t(key) });
const menuItem = (key: Key) => page.getByRole("menuitem", { name: t(key) });
const account = () => button("home.account");

test("lets a visitor skip the header, and open and close menus and dialogs", async () => {
  await openPage();
  const main = page.getByRole("main");
  await expect.element(button("home.start")).toBeVisible();
  await userEvent.keyboard("{Tab}");
  const skip = page.getByRole("link", { name: t("common.skip") });
  await expect.element(skip).toHaveFocus();
  await expectFocusSeen();
  const address = location.href;
  await userEvent.keyboard("{Enter}");
  await expect.element(main).toHaveFocus();
  expect(location.href).toBe(address);
  await userEvent.keyboard("{Tab}");
  await expect.element(main.getByRole("radio").first()).toHaveFocus();

  // The focus returns to what opened a menu or dialog; Escape closes only the topmost.
  const language = button("home.language");
  await tabTo(language, "Shift+Tab");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("menu")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
  await expect.element(language).toHaveFocus();
  const open = button("login.open");
  await press(open);
  const login = dialog("login.tagline");
  await expectOnTitle(login);
  await press(button("login.contact", login));
  await expectOnTitle(dialog("login.contact"));
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog("login.contact")).not.toBeInTheDocument();
  await expect.element(open).toHaveFocus();
});

test("chooses and stores filters, and returns the focus to what opened them", async () => {
  await openPage();
  const meet = page.getByRole("group", { name: t("pref.meet") });
  await choose(meet, meet.getByRole("radio", { name: startOf("pref.men") }));
  const region = page.getByRole("button", { name: startOf("pref.from") });
  await press(region);
  const preferences = dialog("pref.title");
  await expectOnTitle(preferences);
  const from = preferences.getByRole("group", { name: t("pref.from") });
  await choose(from, preferences.getByRole("radio", { name: startOf("pref.country") }));
  await tabTo(preferences.getByRole("searchbox"));
  await userEvent.keyboard("braz");
  await tabTo(preferences.getByRole("radio", { name: "Brazil" }));
  await userEvent.keyboard(" ");
  await press(button("common.save", preferences));
  await expectToast(t("pref.saved"));
  await expect.element(region).toHaveTextContent("Brazil");
  await expect.element(region).toHaveFocus();
});

test("keeps the focus in a call, exits by the emergency key, and leads home from the page after it", async () => {
  const server = await openPage({
    as: ana,
    stored: { neverShowRule: "1" },
    answers: { userInfo: otherUserOf("Bo"), block: {}, feedback: {} },
  });
  await press(button("home.start"));
  await expectCallState("searching");
  await expect.poll(() => server.asked("matchStart").length).toBeGreaterThan(0);
  installRemotePerson();
  await meet(server);
  // The focus is on no element that a key press would activate by accident.
  await expect.poll(() => document.activeElement?.matches("#call main")).toBe(true);
  await userEvent.keyboard("x");
  await expect.element(page.getByRole("heading", { name: t("panic.title") })).toHaveFocus();
  const reasons = page.getByRole("group", { name: t("panic.reason") });
  await choose(reasons, reasons.getByRole("radio").first());
  await press(button("panic.home"));
  await expectHome();
  await expect.poll(() => server.asked("feedback")).toMatchObject([{ id: 4 }]);
  await expect.poll(() => document.activeElement?.closest("#page main") ?? null).not.toBeNull();
});

test("opens, writes and closes messages", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Fia"));
  const friends = { rows: [personOf("Fia", { followStatus: 2, presence: "online" })], total: 1, next: null };
  await openPage({ as: ana, answers: { ...inbox.answers, friendList: friends } });
  const opener = page.getByRole("banner").getByRole("button", { name: startOf("home.messages") });
  const panel = page.getByRole("main", { name: /^(Messages|New message)$/ });
  const log = page.getByRole("log");
  await press(opener);
  await expect.element(panel).toHaveFocus();
  await press(button("msg.new", panel).first());
  await press(panel.getByRole("button", { name: "Fia" }));
  await expect.element(panel.getByRole("textbox")).toHaveFocus();
  await userEvent.keyboard("written without a mouse{Enter}");
  await expect.element(log.getByText("written without a mouse")).toBeVisible();
  await tabTo(log, "Shift+Tab");
  // Escape moves the focus from the thread to its row, then closes the thread, then the panel.
  for (let layer = 0; layer < 3 && panel.elements().length > 0; layer += 1) await userEvent.keyboard("{Escape}");
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test("edits and closes the user's profile", async () => {
  const server = await openPage({ as: ana, answers: new OwnProfile({ uploads: [] }, ana).answers });
  await chooseInMenu(account(), menuItem("menu.profile"));
  const sheet = dialog("profile.title");
  await expectOnTitle(sheet);
  await tabTo(sheet.getByLabelText(t("profile.about")));
  await userEvent.keyboard("I like long walks and short calls.");
  await press(button("profile.save", sheet));
  await expectToast(t("profile.saved"));
  expect(server.asked("userUpdate")).toMatchObject([{ about: "I like long walks and short calls." }]);
  // The first Escape closes the toast.
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("{Escape}");
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(account()).toHaveFocus();
});

test("finds and follows a user, and closes only the topmost of two dialogs", async () => {
  const found = { rows: [personOf("Nell")], next: null };
  await openPage({ as: ana, answers: { ...nobodyAnswers, ...relationAnswers(), userSearch: found } });
  await chooseInMenu(account(), menuItem("menu.people"));
  const people = dialog("people.title");
  await expectOnTitle(people);
  await press(button("find.title", people));
  const find = dialog("find.title");
  await expectOnTitle(find);
  await tabTo(find.getByRole("searchbox"));
  await userEvent.keyboard("Nell{Enter}");
  await press(find.getByRole("button", { name: startOf("people.follow") }).first());
  await expect.element(find.getByRole("button", { name: startOf("people.following"), pressed: true })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(find).not.toBeInTheDocument();
  await expect.element(people).toBeVisible();
  await expect.element(button("find.title", people)).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(people).not.toBeInTheDocument();
  await expect.element(account()).toHaveFocus();
});

test("opens account and data, leaves the deletion, and closes", async () => {
  const nowMs = Date.now();
  await openPage({ as: ana, answers: { accountInfo: accountInfo(nowMs), userExport: { state: "none" } } });
  await chooseInMenu(account(), menuItem("menu.account"));
  const data = dialog("account.title");
  await expectOnTitle(data);
  await press(button("account.deleteOpen", data));
  const leaving = page.getByRole("alertdialog");
  await expect.element(leaving).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(leaving).not.toBeInTheDocument();
  await expect.element(button("account.deleteOpen", data)).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(data).not.toBeInTheDocument();
  await chooseInMenu(account(), menuItem("menu.signOut"));
  await expect.element(button("login.open")).toBeVisible();
});
