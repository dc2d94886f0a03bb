import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { followBackGesture } from "#lib/back-gesture.ts";
import { type Key, t } from "#lib/i18n.ts";
import { pushLayer } from "#lib/layers.ts";
import { openOverlay } from "#lib/overlays.ts";
import { expectCallState, expectHome, openCall, openSearch } from "#testing/call-page.ts";
import { ana } from "#testing/fixtures.ts";
import { chooseInMenu } from "#testing/keys.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { openPage, type PageOptions } from "#testing/open-page.tsx";
import { startOf } from "#testing/page-steps.ts";
import { nobodyAnswers } from "#testing/people-fixtures.ts";

const dialog = (key: Key) => page.getByRole("dialog", { name: t(key) });
const account = () => page.getByRole("button", { name: t("home.account") });
const messages = () => page.getByRole("banner").getByRole("button", { name: startOf("home.messages") });

/** What the browser does on the gesture: it closes its watcher; returns false if it goes back in the history. */
let gesture: () => boolean;

beforeEach(() => {
  const { CloseWatcher } = window;
  if (!CloseWatcher) throw new Error("this browser has close watchers");
  const open = new Set<EventTarget & { requestClose?: () => void }>();
  const Watched = class extends CloseWatcher {
    constructor() {
      super();
      open.add(this);
      this.addEventListener("close", () => open.delete(this));
    }
    override destroy(): void {
      open.delete(this);
      super.destroy();
    }
  };
  vi.stubGlobal("CloseWatcher", Watched);
  const owner = new AbortController();
  followBackGesture(owner.signal);
  onTestFinished(() => owner.abort());
  gesture = () => {
    const [watcher] = open;
    watcher?.requestClose?.();
    return watcher !== undefined;
  };
});

const openPeople = async (options: PageOptions = {}) => {
  await openPage({ as: ana, answers: nobodyAnswers, ...options });
  await chooseInMenu(account(), page.getByRole("menuitem", { name: t("menu.people") }));
  await dialog("people.title")
    .getByRole("button", { name: t("find.title") })
    .click();
  await expect.element(dialog("find.title")).toBeVisible();
};

test("closes the topmost layer on each back gesture, and goes back without one", async () => {
  await openPeople();
  expect(gesture()).toBe(true);
  await expect.element(dialog("find.title")).not.toBeInTheDocument();
  await expect.element(dialog("people.title")).toBeVisible();
  expect(gesture()).toBe(true);
  await expect.element(dialog("people.title")).not.toBeInTheDocument();
  await expect.poll(gesture).toBe(false);
});

test("closes one layer on Escape, which browsers pass to the watcher too", async () => {
  await openPeople();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog("find.title")).not.toBeInTheDocument();
  await expect.element(dialog("people.title")).toBeVisible();
  expect(gesture()).toBe(true);
  await expect.element(dialog("people.title")).not.toBeInTheDocument();
});

test("leads from a conversation to the list, and from there home", async () => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Fia"), ["hello"]);
  await openPage({ as: ana, answers: inbox.answers, window: { width: 390, height: 844 } });
  await messages().click();
  const list = page.getByRole("main").getByRole("navigation");
  await list.getByRole("button", { name: "Fia" }).click();
  const log = page.getByRole("log");
  await expect.element(log).toBeVisible();
  expect(gesture()).toBe(true);
  await expect.element(log).not.toBeInTheDocument();
  await expect.element(list).toBeVisible();
  expect(gesture()).toBe(true);
  await expect.element(list).not.toBeInTheDocument();
});

test("leads from a search home instead of out of Fava", async () => {
  await openSearch();
  await expect.poll(gesture).toBe(true);
  await expectHome();
});

test("hangs up in a call", async () => {
  await openCall();
  expect(gesture()).toBe(true);
  await expectHome();
});

test("handles Escape once, which the watcher receives too", async () => {
  await openPage({ as: ana });
  onTestFinished(pushLayer(Symbol("a layer that handles Escape")));
  const heard = vi.fn<() => void>();
  document.addEventListener("keydown", heard);
  onTestFinished(() => document.removeEventListener("keydown", heard));
  await userEvent.keyboard("{Escape}{Escape}");
  expect(heard).toHaveBeenCalledTimes(2);
  expect(gesture()).toBe(true);
  expect(heard).toHaveBeenCalledTimes(3);
});

test("lets a user leave who repeats the gesture in a dialog that must not be closed", async () => {
  await openPage({ as: ana });
  const stop = pushLayer(Symbol("not to be closed"));
  onTestFinished(stop);
  expect([gesture(), gesture(), gesture(), gesture()]).toEqual([true, true, true, false]);
});

test("closes the dialogs of a page when the history goes back to another page of Fava", async () => {
  await openPage({ as: ana, path: "/aboutUs", answers: new Inbox().answers });
  await page.getByRole("link", { name: "Fava" }).first().click();
  await messages().click();
  await expect.element(page.getByRole("main", { name: t("msg.title") })).toBeVisible();
  history.back();
  await expect.poll(() => location.pathname).toBe("/aboutUs");
  await expect.element(page.getByRole("main", { name: t("msg.title") })).not.toBeInTheDocument();
  await expect.element(page.getByRole("main")).toBeVisible();
});

test("keeps what is open over a call", async () => {
  await openCall();
  history.pushState(null, "", "/aboutUs");
  void openOverlay("contact");
  await expect.element(dialog("login.contact")).toBeVisible();
  history.back();
  await expect.poll(() => location.pathname).toBe("/");
  await expect.element(dialog("login.contact")).toBeVisible();
  await expectCallState("in-call");
});

test("asks for a second gesture before it leaves a call in a browser without close watchers", async () => {
  const asked = () => page.getByText(t("call.backAgain"));
  vi.stubGlobal("CloseWatcher", undefined);
  const owner = new AbortController();
  onTestFinished(() => owner.abort());
  followBackGesture(owner.signal);
  await openCall();
  const { length } = history;
  // A layer closes without a question.
  void openOverlay("contact");
  await expect.element(dialog("login.contact")).toBeVisible();
  history.back();
  await expect.element(dialog("login.contact")).not.toBeInTheDocument();
  expect(asked().query()).toBeNull();
  history.back();
  await expect.element(asked()).toBeVisible();
  await expectCallState("in-call");
  history.back();
  await expectHome();
  await expect.element(asked()).not.toBeInTheDocument();
  // No entry of the call stays on top, and none was added for each gesture.
  await expect.poll(() => history.state as unknown).toBeNull();
  expect(history.length).toBeLessThanOrEqual(length);
});

test("asks again when the second gesture comes late", async () => {
  vi.stubGlobal("CloseWatcher", undefined);
  const owner = new AbortController();
  onTestFinished(() => owner.abort());
  followBackGesture(owner.signal);
  await openCall();
  history.back();
  await expect.element(page.getByText(t("call.backAgain"))).toBeVisible();
  const now = performance.now.bind(performance);
  const late = vi.spyOn(performance, "now").mockImplementation(() => now() + 6_000);
  onTestFinished(() => late.mockRestore());
  history.back();
  await new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  await expectCallState("in-call");
});
