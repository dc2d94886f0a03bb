import { codes } from "@fava/wire/codes.ts";
import { type Answers, Refusal } from "@fava/web/testing/fixture-world.ts";
import { ana, galleryNowMs, personOf } from "@fava/web/testing/fixtures.ts";
import { conversationOf, Inbox, stranger } from "@fava/web/testing/message-fixtures.ts";
import { peopleAnswers, peoplePage, recentRow, relationAnswers } from "@fava/web/testing/people-fixtures.ts";
import { phone, socketOpened } from "../../support/fixture-page.ts";
import { openMessages, openThread, panelOf, rowOf } from "../messages-steps.ts";
import { type Scene, scene } from "../scene.ts";
import { allowNotifications, notificationAnswers } from "../notification-steps.ts";

const longest = "Leyla of the long name, who writes";
const never = () => new Promise<never>(() => undefined);
const bo = conversationOf("Bo", { unreadCount: 2 });
const noor = conversationOf("Noor", { presence: "away" });
const met = { ...stranger, likeStatus: 0 } as const;

/** The messages of a user with friends, requests and strangers. */
function fullInbox(): Inbox {
  const inbox = new Inbox(() => galleryNowMs);
  inbox.add(bo, [
    ["met", 1_440],
    ["missed", "other"],
    "hey it’s Bo, from the moqueca conversation",
    ["me", "you remembered! I bought coconut milk today"],
    "okay: 1 kg white fish, 2 peppers, 3 tomatoes, dendê oil, lots of coriander. Fish goes in last, ten minutes, no stirring",
    "I promised you the recipe!",
  ]);
  inbox.add(noor, ["أهلًا! كيف حالك؟", ["me", "my kitchen smells amazing"]], 60 * 26);
  inbox.add(conversationOf(longest, { presence: "offline", unreadCount: 120 }), [""], 60 * 24 * 3);
  inbox.add(conversationOf("Kenji", { ...met, state: "request_out" }), [["me", "Hi! We talked about Lyon."]], 300);
  inbox.add(conversationOf("Grace", { ...met, state: "closed" }), [["met", 300]], 60 * 24 * 4);
  inbox.add(conversationOf("Rafi", { ...met, state: "request_in", unreadCount: 1 }), [
    ["met", 640],
    "Hi! I found the name of that bakery in Lyon, shall I send it?",
  ]);
  return inbox;
}

const around: Answers = {
  ...relationAnswers(),
  friendList: peoplePage([personOf("Bo", { followStatus: 2, presence: "online" }), personOf("Noor")], { next: "more" }),
  recentList: ({ other_id: otherId }) => ({
    rows: otherId === bo.userId ? [recentRow(personOf("Bo"), galleryNowMs, { meet: "both" })] : [],
    next: null,
  }),
};

const memberWith = (answers: Answers) => () => ({
  as: ana,
  answers: { ...fullInbox().answers, ...around, ...answers },
});
const member = memberWith({});

export const messagesScenes: readonly Scene[] = [
  scene("a call that was missed", memberWith(notificationAnswers)(), async ({ page, said, show }) => {
    await allowNotifications(page);
    await openMessages(page, said);
    await openThread(page, "Bo");
    const offer = page.getByRole("log").getByRole("button", { name: said("notify.ringOffer") });
    await offer.waitFor();
    await show("messages-missed");
    await offer.click();
    const question = page.getByRole("dialog", { name: said("notify.ringAsk") });
    await question.getByRole("button", { name: said("notify.turnOn") }).waitFor();
    await show("notify-ring");
  }),
  scene(
    "messages, empty",
    { as: ana, answers: { ...peopleAnswers(galleryNowMs), ...new Inbox(() => galleryNowMs).answers } },
    async ({ page, said, show, world }) => {
      const panel = await openMessages(page, said);
      await panel
        .getByRole("heading", { name: said("msg.empty.title") })
        .last()
        .waitFor();
      await show("messages-empty");
      await rowOf(page, "Fava").click();
      await panel.getByText(said("msg.official")).waitFor();
      await show("messages-official");
      world.server.answer({ friendList: peoplePage([]) });
      await panel
        .getByRole("button", { name: said("msg.new") })
        .first()
        .click();
      await panel.getByText(said("msg.pick.empty")).waitFor();
      await show("messages-friends-empty");
    },
  ),
  scene("messages with every kind of person", member, async ({ page, said, show, world }) => {
    const messages = fullInbox().messagesOf(bo.externalId);
    const panel = await openMessages(page, said);
    await rowOf(page, "Bo").waitFor();
    await socketOpened(world.server);
    world.server.socket.say({ type: "typing", externalId: noor.externalId });
    await panel.getByText(said("msg.typing")).waitFor();
    await panel.getByText("Noor").nth(1).waitFor();
    await show("messages-list");
    const field = await openThread(page, "Bo");
    await page.getByText("I promised you").first().waitFor();
    const { externalId } = bo;
    for (const [index, reaction] of [
      [3, "heart"],
      [5, "laugh"],
    ] as const)
      world.server.socket.social({ kind: "reaction", externalId, messageId: messages[index]!.id, reaction });
    await panel.getByText(said("call.reacted", { name: "Bo" })).waitFor({ state: "attached" });
    await show("messages-thread", { inView: [field] });
    await panel
      .getByRole("button", { name: said("call.react") })
      .last()
      .click();
    await page.getByRole("menu", { name: said("call.react") }).waitFor();
    await show("messages-react");
    await page.keyboard.press("Escape");
    await field.fill("a long story ".repeat(160).slice(0, 1_990));
    await show("messages-letters-left", { inView: [field] });
    await page.getByRole("button", { name: said("msg.menu", { name: "Bo" }) }).click();
    await page.getByRole("menu").waitFor();
    await show("messages-menu");
  }),
  scene("a new message to a friend", member, async ({ page, said, show, world }) => {
    const panel = await openMessages(page, said);
    const begin = panel.getByRole("button", { name: said("msg.new") }).first();
    await begin.click();
    await panel.getByText(said("msg.pick.lead")).waitFor();
    await panel.getByText("Noor").waitFor();
    await show("messages-friends");
    world.server.answer({ friendList: never });
    await page.reload();
    await openMessages(page, said);
    await begin.click();
    await panel.getByText(said("msg.pick.loading")).waitFor({ state: "attached" });
    await show("messages-friends-loading");
    world.server.answer({ friendList: new Refusal(codes.serverError) });
    await page.reload();
    await openMessages(page, said);
    await begin.click();
    await panel.getByText(said("msg.pick.failed")).waitFor();
    await show("messages-friends-failed");
  }),
  scene("message requests", member, async ({ page, said, show }) => {
    const panel = await openMessages(page, said);
    await panel
      .getByRole("button")
      .filter({ has: page.getByText(said("msg.requests")) })
      .click();
    await rowOf(page, "Rafi").waitFor();
    await show("messages-requests");
    await rowOf(page, "Rafi").click();
    const answers = ["accept", "decline"].map((key) => panel.getByRole("button", { name: said(`msg.ask.${key}`) }));
    await answers[0]?.waitFor();
    await show("messages-request", { inView: answers });
    await answers[1]?.click();
    await page
      .locator("[data-toasts]")
      .getByText(said("msg.ask.declined", { name: "Rafi" }))
      .hover();
    await show("messages-declined");
  }),
  scene("conversations without a text field", member, async ({ page, said, show }) => {
    const panel = await openMessages(page, said);
    await openThread(page, "Kenji");
    await panel.getByText(said("msg.requestOut", { name: "Kenji" })).waitFor();
    await show("messages-request-out");
    await openThread(page, "Grace");
    await panel.getByText(said("msg.closed", { name: "Grace" })).waitFor();
    await show("messages-closed");
    await openThread(page, longest);
    await page.getByRole("log").getByText(said("msg.deleted")).waitFor();
    await show("messages-deleted");
  }),
  scene("messages of people who just met", member, async ({ page, said, show, world }) => {
    const inbox = new Inbox(() => galleryNowMs);
    inbox.add(conversationOf("Bo", { ...met, state: "request_out" }));
    inbox.add(conversationOf("Noor", { ...met, state: "closed" }));
    world.server.answer({ ...inbox.answers, ...around });
    const panel = await openMessages(page, said);
    for (const [name, key] of [
      ["Bo", "msg.firstRequest"],
      ["Noor", "msg.closedNew"],
    ] as const) {
      await panel
        .getByRole("button", { name: said("msg.new") })
        .first()
        .click();
      await panel.getByRole("listitem").getByRole("button").filter({ hasText: name }).click();
      await panel.getByText(said(key, { name })).waitFor();
      await show(`messages-${name === "Bo" ? "first-request" : "closed-new"}`);
      if (name !== "Bo") continue;
      await panel.getByRole("textbox").fill("write me at ana@example.com");
      await panel.getByText(said("msg.personalData")).waitFor();
      await show("messages-hint");
      await panel.getByRole("textbox").fill("");
    }
  }),
  scene("messages that were not sent", member, async ({ page, said, show, world }) => {
    world.server.answer({ messageSend: never });
    await openMessages(page, said);
    const field = await openThread(page, "Bo");
    await field.fill("call later? I want to show you");
    await field.press("Enter");
    await page.getByRole("log").getByText(said("msg.sending")).waitFor({ state: "attached" });
    await show("messages-sending");
    world.server.answer({ messageSend: new Refusal(codes.refused, { reason: "personal_data" }) });
    await openThread(page, "Noor");
    await field.fill("my number is in my profile");
    await field.press("Enter");
    await page.getByRole("log").getByText(said("refused.personal_data")).waitFor();
    world.server.answer({ messageSend: new Refusal(codes.slowDown) });
    await field.fill("and here it is again");
    await field.press("Enter");
    await page.getByRole("log").getByText(said("msg.tooFast")).waitFor();
    await show("messages-refused");
  }),
  scene("messages without a network", member, async ({ page, said, show, world }) => {
    world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await openMessages(page, said);
    const field = await openThread(page, "Bo");
    await page.context().setOffline(true);
    await field.fill("call later? I want to show you");
    await field.press("Enter");
    await page.getByRole("log").getByText(said("msg.notSent")).waitFor();
    await page.locator("#reach").getByText(said("offline.text")).waitFor();
    await show("messages-offline");
    await rowOf(page, "Noor").click();
    await panelOf(page).getByText(said("msg.loadFailed")).waitFor();
    await show("messages-thread-failed");
  }),
  scene("messages while loading", memberWith({ conversationList: never }), async ({ page, said, show, world }) => {
    const panel = await openMessages(page, said);
    await panel.getByText(said("msg.loadingList")).waitFor({ state: "attached" });
    await show("messages-loading");
    const { conversationList } = fullInbox().answers;
    if (conversationList) world.server.answer({ conversationList, messageList: never });
    await page.reload();
    await openMessages(page, said);
    await rowOf(page, "Bo").click();
    await panel.getByText(said("msg.loading")).waitFor({ state: "attached" });
    await show("messages-thread-loading");
  }),
  scene(
    "messages that could not be loaded",
    () => ({ ...memberWith({ conversationList: new Refusal(codes.badInput) })(), viewport: phone }),
    async ({ page, said, show }) => {
      const panel = await openMessages(page, said);
      await panel.getByText(said("msg.listFailed")).first().waitFor();
      await show("messages-failed");
    },
  ),
  scene("older messages", member, async ({ page, said, show, world }) => {
    const inbox = new Inbox(() => galleryNowMs);
    inbox.add(
      bo,
      Array.from({ length: 60 }, (_, index) => `line ${index + 1}`),
    );
    const { messageList } = inbox.answers;
    if (typeof messageList !== "function") throw new Error("no answer");
    const broken = () => new Refusal(codes.badInput);
    let older: typeof broken | typeof never = broken;
    world.server.answer({
      ...inbox.answers,
      messageList: (input) => (input.cursor === undefined ? messageList(input) : older()),
    });
    await openMessages(page, said);
    await openThread(page, "Bo");
    const log = page.getByRole("log");
    await log.getByText("line 60", { exact: true }).waitFor();
    await log.evaluate((element) => void (element.scrollTop = 0));
    await log.getByRole("button", { name: said("common.retry") }).waitFor();
    await show("messages-older-failed");
    older = never;
    // Scrolling on retries as well.
    await log.evaluate((element) => void (element.scrollTop = 200));
    await log.evaluate((element) => void (element.scrollTop = 0));
    await log.getByText(said("msg.olderLoading")).waitFor();
    await log.evaluate((element) => void (element.scrollTop = 100));
    inbox.receive(world.server, bo.externalId, "are you still up there?");
    await page
      .getByRole("button", { name: said("msg.newBelow") })
      .last()
      .waitFor();
    await show("messages-older");
  }),
];
