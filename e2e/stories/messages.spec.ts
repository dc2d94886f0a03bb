import { expect } from "@playwright/test";
import { openDesk } from "../support/desk-person.ts";
import { framesOf } from "../support/frames.ts";
import { befriend } from "../support/friends.ts";
import {
  bubbles,
  field,
  log,
  messagesButton,
  openFromList,
  panel,
  row,
  sendRequest,
  signOut,
  startThread,
  within,
  write,
} from "../support/messages-panel.ts";
import { openPeoplePanel, peopleTab, rowOf } from "../support/people-panel.ts";
import { expectHome, meet, test } from "../support/people.ts";
import { beginSession } from "../support/session.ts";
import { words } from "../support/words.ts";

test(
  "delivers messages between two friends, across a reload and a sign-out",
  { tag: "@both-nodes" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Writes" }), person({ name: "Bo Reads" })]);
    await befriend(ana, bo);
    await startThread(ana, "Bo Reads");
    await write(ana, "are you there?");
    await expect(log(ana).getByText(/^Sent/)).toBeVisible();

    await expect(messagesButton(bo)).toHaveAccessibleName(/1 unread/);
    await expect(bo).toHaveTitle(/^\(1\) /);
    await openFromList(bo, "Ana Writes");
    await expect(log(bo).getByText("are you there?")).toBeVisible();
    await expect(log(ana).getByText(words("msg.read"))).toBeVisible();
    await expect(bo).toHaveTitle(/^[^(]/);

    await field(bo).pressSequentially("ye");
    await expect(log(ana).getByRole("img", { name: words("msg.isTyping", { name: "Bo Reads" }) })).toBeVisible();
    await field(bo).fill("");
    await write(bo, "yes\nsecond line");
    await expect(log(ana).getByText("second line")).toBeVisible();

    await ana.reload();
    await openFromList(ana, "Bo Reads");
    await expect(bubbles(ana)).toHaveText(["are you there?", "yes\nsecond line"]);

    await signOut(ana);
    await write(bo, "call me later");
    await expect(log(bo).getByText(/^Sent/)).toBeVisible();
    await beginSession(ana, { name: "Ana Writes" });
    await expect(messagesButton(ana)).toHaveAccessibleName(/1 unread/);
    await openFromList(ana, "Bo Reads");
    await expect(bubbles(ana)).toHaveText(["are you there?", "yes\nsecond line", "call me later"]);
  },
);

test(
  "keeps the text of a message written offline, and sends it once on retry",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Offline" }), person({ name: "Bo Waits" })]);
    await befriend(ana, bo);
    await startThread(ana, "Bo Waits");
    await ana.context().setOffline(true);
    await write(ana, "through the tunnel");
    const failed = log(ana)
      .locator("[data-failed]:not(p)")
      .filter({ hasText: within("msg.notSent") });
    await expect(failed).toBeVisible();
    await expect(bubbles(ana)).toHaveText(["through the tunnel"]);

    await ana.context().setOffline(false);
    await failed.getByRole("button", { name: words("common.retry") }).click();
    await expect(log(ana).getByText(/^Sent/)).toBeVisible();
    await expect(bubbles(ana)).toHaveText(["through the tunnel"]);
    await openFromList(bo, "Ana Offline");
    await expect(bubbles(bo)).toHaveText(["through the tunnel"]);
  },
);

test("delivers contact data between friends, and covers an abusive message", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Cross" }), person({ name: "Bo Kind" })]);
  await befriend(ana, bo);
  await startThread(ana, "Bo Kind");
  await write(ana, "write me at ana.lima@example.com");
  await write(ana, "you are a worthless piece of shit");
  await expect(log(ana).getByText(words("covered.own"))).toBeVisible();
  await messagesButton(bo).click();
  await expect(row(bo, "Ana Cross")).toContainText(within("covered.hurts"));
  await row(bo, "Ana Cross").click();
  await expect(log(bo).getByText("write me at ana.lima@example.com")).toBeVisible();
  await expect(log(bo)).not.toContainText("worthless");
  await log(bo)
    .getByRole("button", { name: words("covered.show") })
    .click();
  await expect(log(bo).getByText("you are a worthless piece of shit")).toBeVisible();
  await log(bo)
    .getByRole("button", { name: words("covered.reportLine") })
    .click();
  await expect(log(bo).getByRole("button", { name: words("covered.reported") })).toBeVisible();
  await log(ana)
    .getByRole("button", { name: words("covered.notMeant") })
    .click();
  await expect(log(ana).getByRole("button", { name: words("covered.noted") })).toBeVisible();
});

test(
  "shows the findings of a refused request, accepts a dispute, and shows administrators the rule",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Refused" }), person({ name: "Bo Stranger" })]);
    await meet(ana, bo);
    for (const page of [ana, bo]) await page.keyboard.press("Escape");
    await expectHome(ana);
    const people = await openPeoplePanel(ana);
    await peopleTab(ana, "recent").click();
    await rowOf(people, "Bo Stranger")
      .getByRole("button", { name: words("people.profileOf", { name: "Bo Stranger" }) })
      .click();
    await ana
      .getByRole("dialog", { name: "Bo Stranger" })
      .getByRole("button", { name: words("other.message") })
      .click();
    await field(ana).fill("call me at +90 532 123 45 67 tonight");
    await field(ana).press("Enter");
    await expect(log(ana).locator("mark")).toHaveText("+90 532 123 45 67");
    await log(ana)
      .getByRole("button", { name: words("covered.notMeant") })
      .click();
    await expect(log(ana).getByRole("button", { name: words("covered.noted") })).toBeVisible();

    const ada = await person("ada");
    await openDesk(ada, "/reportReview/figures");
    const rules = ada.getByRole("table").filter({ hasText: within("disputed.kinds.phone") });
    const phone = rules.getByRole("row").filter({ hasText: within("disputed.kinds.phone") });
    await expect(phone).toBeVisible();
    const [, disputed] = await phone.getByRole("cell").all();
    await expect(disputed!).toHaveText(/[1-9]/);
  },
);

test(
  "accepts one request of a user met, and lets both write once it is accepted",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Met" }), person({ name: "Bo Met" })]);
    await meet(ana, bo);
    for (const page of [ana, bo]) await page.keyboard.press("Escape");
    for (const page of [ana, bo]) await expectHome(page);
    await sendRequest(ana, bo, "shall I send the name of that bakery?");

    await expect(messagesButton(bo)).toHaveAccessibleName("Messages · 1 request");
    await messagesButton(bo).click();
    await panel(bo)
      .getByRole("button", { name: within("msg.requests") })
      .click();
    await row(bo, "Ana Met").click();
    await expect(bubbles(bo)).toHaveText(["shall I send the name of that bakery?"]);
    await expect(field(bo)).toBeHidden();
    // Its sender sees that it was sent, but not whether it was read.
    await openFromList(ana, "Bo Met");
    await expect(log(ana).getByText(/^Sent/)).toBeVisible();
    await expect(panel(ana).getByText(words("msg.requestOut", { name: "Bo Met" }))).toBeVisible();
    await bo.getByRole("button", { name: words("msg.ask.accept") }).click();
    await write(bo, "please do");

    await expect(bubbles(ana)).toHaveText(["shall I send the name of that bakery?", "please do"]);
    await write(ana, "it is called Levain");
    await expect(log(bo).getByText("it is called Levain")).toBeVisible();
  },
);

test(
  "keeps a user's tabs in sync, hands over the chat socket, and signs all of them out",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Tabs" }), person({ name: "Bo Tabs" })]);
    await befriend(ana, bo);
    await startThread(ana, "Bo Tabs");
    await write(ana, "one");
    const second = await ana.context().newPage();
    await second.goto("/");
    await openFromList(second, "Bo Tabs");
    expect(framesOf(second).received).toEqual([]);
    await openFromList(bo, "Ana Tabs");
    await write(bo, "two");
    await expect(bubbles(ana)).toHaveText(["one", "two"]);
    await expect(bubbles(second)).toHaveText(["one", "two"]);
    await write(second, "three");
    await expect(bubbles(ana)).toHaveText(["one", "two", "three"]);
    await expect(bubbles(bo)).toHaveText(["one", "two", "three"]);
    // Typing right after a message is reported with the next letters only.
    await expect(async () => {
      await field(second).pressSequentially("f");
      await expect(log(bo).getByRole("img", { name: words("msg.isTyping", { name: "Ana Tabs" }) })).toBeVisible({
        timeout: 1_000,
      });
    }).toPass({ timeout: 30_000 });

    await ana.close();
    await expect.poll(() => framesOf(second).received.some((frame) => frame.includes("welcome"))).toBe(true);
    await write(bo, "four");
    await expect(bubbles(second)).toHaveText(["one", "two", "three", "four"]);

    const third = await second.context().newPage();
    await third.goto("/");
    const sheet = await openPeoplePanel(third);
    const fourth = await second.context().newPage();
    await fourth.goto("/");
    await signOut(fourth);
    await expect(sheet).toBeHidden();
    await expect(messagesButton(third)).toBeHidden();
    await expect(panel(second)).toBeHidden();
    await expect(messagesButton(second)).toBeHidden();
  },
);
