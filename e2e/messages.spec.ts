import { expect } from "@playwright/test";
import { befriend, callAs, selfOf } from "./support/friends.ts";
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
} from "./support/messages-panel.ts";
import { expectHome, meet, signIn, test, toasts } from "./support/people.ts";
import { words } from "./support/words.ts";

// Two browsers sign in first, and some stories go through a call.
test.setTimeout(180_000);

test("[MSG-80] two friends write to each other, across a reload and a sign-out of one side", async ({ person }) => {
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
  await signIn(ana, { name: "Ana Writes" });
  await expect(messagesButton(ana)).toHaveAccessibleName(/1 unread/);
  await openFromList(ana, "Bo Reads");
  await expect(bubbles(ana)).toHaveText(["are you there?", "yes\nsecond line", "call me later"]);
});

test("[MSG-62] a message written without a network says so, keeps its text, and goes out once when tried again", async ({
  person,
}) => {
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
});

test("[MSG-77] somebody one has met sends one request, and both write once it is accepted", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Met" }), person({ name: "Bo Met" })]);
  await meet(ana, bo);
  await ana.keyboard.press("Escape");
  await expectHome(ana);
  await bo.keyboard.press("Escape");
  await expectHome(bo);
  await sendRequest(ana, bo, "shall I send the name of that bakery?");

  await expect(messagesButton(bo)).toHaveAccessibleName(words("home.messages"));
  await messagesButton(bo).click();
  await panel(bo)
    .getByRole("button", { name: within("msg.requests") })
    .click();
  await row(bo, "Ana Met").click();
  await expect(bubbles(bo)).toHaveText(["shall I send the name of that bakery?"]);
  await expect(field(bo)).toBeHidden();
  await bo.getByRole("button", { name: words("msg.ask.accept") }).click();
  await write(bo, "please do");

  await openFromList(ana, "Bo Met");
  await expect(bubbles(ana)).toHaveText(["shall I send the name of that bakery?", "please do"]);
  await write(ana, "it is called Levain");
  await expect(log(bo).getByText("it is called Levain")).toBeVisible();
});

test("[MSG-77] a request that is declined is gone, and its sender sees what they saw", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Asks" }), person({ name: "Bo Declines" })]);
  await meet(ana, bo);
  for (const page of [ana, bo]) await page.keyboard.press("Escape");
  for (const page of [ana, bo]) await expectHome(page);
  await sendRequest(ana, bo, "hello again");
  await openFromList(ana, "Bo Declines");
  await expect(log(ana).getByText(/^Sent/)).toBeVisible();
  await messagesButton(bo).click();
  await panel(bo)
    .getByRole("button", { name: within("msg.requests") })
    .click();
  await row(bo, "Ana Asks").click();
  await bo.getByRole("button", { name: words("msg.ask.decline") }).click();
  await expect(toasts(bo).getByText(words("msg.ask.declined", { name: "Ana Asks" }))).toBeVisible();
  await expect(row(bo, "Ana Asks")).toHaveCount(0);
  await expect(panel(bo).getByRole("button", { name: within("msg.requests") })).toHaveCount(0);
  await ana.reload();
  await openFromList(ana, "Bo Declines");
  await expect(bubbles(ana)).toHaveText(["hello again"]);
  await expect(log(ana).getByText(/^Sent/)).toBeVisible();
  await expect(panel(ana).getByText(words("msg.requestOut", { name: "Bo Declines" }))).toBeVisible();
});

test("[MSG-75] older messages come in above without a jump, and a new one below is offered, not gone to", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Scrolls" }), person({ name: "Bo Talks" })]);
  await befriend(ana, bo);
  const [anaSelf, boSelf] = await Promise.all([selfOf(ana), selfOf(bo)]);
  for (let number = 1; number <= 36; number += 1) {
    const [from, self, other] = number % 2 === 0 ? [ana, anaSelf, boSelf] : ([bo, boSelf, anaSelf] as const);
    const said = {
      user_id: self.user_id,
      externalId: other.externalId,
      client_id: `n${number}`,
      text: `line ${number}`,
    };
    await callAs(from, "/api/message/send", said);
  }
  await openFromList(ana, "Bo Talks");
  await expect(log(ana).getByText("line 36", { exact: true })).toBeInViewport();
  await expect(bubbles(ana)).toHaveCount(30);

  const read = log(ana).getByText("line 9", { exact: true });
  const place = () => read.evaluate((element) => element.getBoundingClientRect().top);
  await log(ana).evaluate((element) => void (element.scrollTop = 60));
  const before = await place();
  await expect(bubbles(ana)).toHaveCount(36);
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);

  await openFromList(bo, "Ana Scrolls");
  await write(bo, "are you still up there?");
  const offered = ana.getByRole("button", { name: words("msg.newBelow") }).last();
  await expect(offered).toBeVisible();
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  await offered.click();
  await expect(log(ana).getByText("are you still up there?")).toBeInViewport();
  await expect(log(bo).getByText(words("msg.read"))).toBeVisible();
});

test("[MSG-72] a second tab stays in step, and follows the sign-out", async ({ person }) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Tabs" }), person({ name: "Bo Tabs" })]);
  await befriend(ana, bo);
  await startThread(ana, "Bo Tabs");
  await write(ana, "one");
  const second = await ana.context().newPage();
  await second.goto("/");
  await openFromList(second, "Bo Tabs");
  await openFromList(bo, "Ana Tabs");
  await write(bo, "two");
  await expect(bubbles(ana)).toHaveText(["one", "two"]);
  await expect(bubbles(second)).toHaveText(["one", "two"]);
  await write(second, "three");
  await expect(bubbles(ana)).toHaveText(["one", "two", "three"]);
  await expect(bubbles(bo)).toHaveText(["one", "two", "three"]);
  // What is typed right after a message is told with the next letters only.
  await expect(async () => {
    await field(second).pressSequentially("f");
    await expect(log(bo).getByRole("img", { name: words("msg.isTyping", { name: "Ana Tabs" }) })).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 15_000 });

  await signOut(ana);
  await expect(panel(second)).toBeHidden();
  await expect(messagesButton(second)).toBeHidden();
});

test("[MSG-71] [MSG-76] on a desk the header stays beside the messages; on a phone each step has its way back", async ({
  person,
}) => {
  const ana = await person({ name: "Ana Steps" });
  await openFromList(ana, "Fava");
  await expect(panel(ana).getByText(words("msg.official"))).toBeVisible();
  await expect(field(ana)).toBeHidden();
  await messagesButton(ana).click();
  await expect(panel(ana).getByText(words("msg.empty.title")).last()).toBeVisible();

  await ana.setViewportSize({ width: 390, height: 844 });
  await row(ana, "Fava").click();
  await expect(row(ana, "Fava")).toBeHidden();
  await expect(ana.getByRole("banner")).toHaveAttribute("inert", "");
  await panel(ana)
    .getByRole("button", { name: words("msg.back") })
    .click();
  await expect(row(ana, "Fava")).toBeVisible();
  await panel(ana)
    .getByRole("button", { name: words("common.back") })
    .click();
  await expect(panel(ana)).toBeHidden();
  await expect(messagesButton(ana)).toBeFocused();
});

test("[MSG-73] the messages are used with keys alone", async ({ person }) => {
  const [ana, bo, cleo] = await Promise.all(["Ana Keys", "Bo Keys", "Cleo Keys"].map((name) => person({ name })));
  if (!ana || !bo || !cleo) throw new Error("three people");
  await befriend(ana, bo);
  await befriend(ana, cleo);
  for (const [name, text] of [
    ["Bo Keys", "to bo"],
    ["Cleo Keys", "to cleo"],
  ] as const) {
    await startThread(ana, name);
    await write(ana, text);
    await expect(log(ana).getByText(/^Sent/)).toBeVisible();
  }
  await field(ana).press("Escape");
  await expect(row(ana, "Cleo Keys")).toBeFocused();
  await ana.keyboard.press("ArrowDown");
  await expect(row(ana, "Bo Keys")).toBeFocused();
  await ana.keyboard.press("Enter");
  await expect(bubbles(ana)).toHaveText(["to bo"]);
  await expect(field(ana)).toBeFocused();
  await ana.keyboard.type("first");
  await ana.keyboard.press("Shift+Enter");
  await ana.keyboard.type("second");
  await ana.keyboard.press("Enter");
  await expect(bubbles(ana)).toHaveText(["to bo", "first\nsecond"]);
  for (let presses = 0; presses < 3; presses += 1) await ana.keyboard.press("Escape");
  await expect(panel(ana)).toBeHidden();
  await expect(messagesButton(ana)).toBeFocused();
});
