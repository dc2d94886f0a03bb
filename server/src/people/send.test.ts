import { beforeAll, describe, expect, test } from "vitest";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { contextOf, refusals } from "#test/fixtures/social-world.ts";

const refusedFor = (reason: string) => ({ code: 406, data: { reason } });
describe("messages", () => {
  let world: MessageWorld;

  beforeAll(async () => {
    world = await MessageWorld.open();
  });

  const notedKinds = () => world.noted.map(({ findings }) => [...new Set(findings.map(({ kind }) => kind))].toSorted());

  test("between friends are pushed to both as each sees them", async () => {
    const [ana, bo] = await world.friends();
    const sent = await world.send(ana, bo, { text: "how are you?", clientId: "c-1" });
    expect(sent.message).toMatchObject({ clientId: "c-1", text: "how are you?", msgType: "text", position: "right" });
    expect(sent.message.time).toBe(world.social.clock.nowMs());
    expect(sent.conversation).toMatchObject({ state: "open", isContact: true, unreadCount: 0, presence: "online" });
    const [mine] = world.tookMessages(ana);
    expect(mine).toEqual({ kind: "message", ...sent, unread_total: 0 });
    const [theirs] = world.tookMessages(bo);
    expect(theirs).toMatchObject({ unread_total: 1, message: { id: sent.message.id, position: "left" } });
    expect(theirs?.conversation).toMatchObject({ userId: Number(ana), unreadCount: 1, state: "open" });
  });

  test("begin a new conversation with the previous call's seconds, once", async () => {
    const [ana, bo] = await world.friends();
    await world.social.call(ana, bo, { agoMs: 50_000, seconds: 41 });
    await world.send(ana, bo, "one");
    await world.send(bo, ana, "two");
    const { messages } = await world.thread(bo, ana);
    expect(messages.map(({ msgType, text }) => `${msgType} ${text}`)).toEqual(["text two", "text one", "met 41"]);
    const [carl, dee] = await Promise.all([world.social.person(), world.social.person()]);
    await world.social.call(carl, dee, { agoMs: 172_800_000 });
    await world.social.database.db
      .insertInto("follows")
      .values([
        { user_id: carl, other_id: dee, at: new Date() },
        { user_id: dee, other_id: carl, at: new Date() },
      ])
      .execute();
    await world.send(carl, dee, "long ago");
    expect(await world.texts(dee, carl)).toEqual(["long ago"]);
  });

  test("[MSG-2] after a call are one request, listed among the partner's requests", async () => {
    const [ana, bo] = await world.strangers();
    expect((await world.thread(ana, bo)).conversation).toMatchObject({ conversationID: "", state: "request_out" });
    const { conversation } = await world.send(ana, bo, "nice to meet you");
    expect(conversation).toMatchObject({ state: "request_out", isContact: false, presence: null });
    await expect(world.send(ana, bo, "are you there?")).rejects.toMatchObject(refusedFor("request_pending"));
    expect(await world.list(bo)).toEqual([]);
    expect(await world.list(bo, 1)).toMatchObject([{ userId: Number(ana), state: "request_in", unreadCount: 1 }]);
    const { requests, unread_total } = await world.page(bo);
    expect({ requests, unread_total }).toMatchObject({ requests: { count: 1 }, unread_total: 0 });
    expect(requests.latest_nick).toBe((await world.list(bo, 1))[0]?.userProfile.nick);
    expect(await world.list(ana)).toMatchObject([{ userId: Number(bo), state: "request_out" }]);
    expect(world.tookMessages(bo)).toMatchObject([{ unread_total: 0, conversation: { state: "request_in" } }]);
  });

  test("[MSG-2] are rejected between strangers, and a day after the last call", async () => {
    const [ana, bo] = await Promise.all([world.social.person(), world.social.person()]);
    await expect(world.send(ana, bo)).rejects.toMatchObject(refusals.notMet);
    await expect(world.thread(ana, bo)).rejects.toMatchObject(refusals.notMet);
    await world.social.call(ana, bo, { agoMs: 90_000_000 });
    await world.social.database.db
      .insertInto("follows")
      .values({ user_id: ana, other_id: bo, at: new Date() })
      .execute();
    await expect(world.send(ana, bo)).rejects.toMatchObject(refusedFor("not_friends"));
    expect((await world.thread(ana, bo)).conversation.state).toBe("closed");
    const input = { user_id: Number(ana), externalId: "nobody", client_id: "x", text: "x" };
    await expect(world.handlers.messageSend(contextOf(ana), input)).rejects.toMatchObject(refusals.notMet);
  });

  test("accept a request by an answer, after which both may write", async () => {
    const [ana, bo] = await world.strangers();
    await world.send(ana, bo, "hello");
    expect((await world.send(bo, ana, "hello yourself")).conversation.state).toBe("open");
    await world.send(ana, bo, "again");
    expect(await world.list(bo)).toMatchObject([{ state: "open", unreadCount: 2 }]);
    expect(await world.list(bo, 1)).toEqual([]);
  });

  test("may follow an accepted request, of which the requester is notified", async () => {
    const [ana, bo] = await world.strangers();
    const { message } = await world.send(ana, bo);
    world.tookMessages(ana);
    expect(await world.answer(bo, ana, 1)).toMatchObject({ state: "open" });
    expect(world.tookMessages(ana)).toMatchObject([{ message: { id: message.id }, conversation: { state: "open" } }]);
    await world.answer(bo, ana, 1);
    expect(world.tookMessages(ana)).toEqual([]);
    await world.send(ana, bo, "thank you");
  });

  test("[MSG-4] are rejected after a decline, which the requester cannot see", async () => {
    const [ana, bo] = await world.strangers();
    await world.send(ana, bo);
    const before = await world.list(ana);
    world.tookMessages(ana);
    expect(await world.answer(bo, ana, 0)).toBeNull();
    expect([await world.list(bo), await world.list(bo, 1)]).toEqual([[], []]);
    expect((await world.page(bo)).requests).toEqual({ count: 0, latest_nick: null });
    expect(world.social.tookSocial(ana)).toEqual([]);
    expect(await world.list(ana)).toEqual(before);
    await expect(world.send(ana, bo)).rejects.toMatchObject(refusedFor("request_pending"));
    await world.social.call(ana, bo, { agoMs: 10_000 });
    await expect(world.send(ana, bo)).rejects.toMatchObject(refusedFor("request_pending"));
    await world.send(bo, ana, "after all");
    expect(await world.list(bo)).toMatchObject([{ state: "open" }]);
  });

  test("can be read but not answered after a friendship, unless a request was accepted", async () => {
    const [ana, bo] = await world.friends();
    await world.send(ana, bo, "friends");
    await world.social.social.follow(bo, ana, false);
    await expect(world.send(ana, bo)).rejects.toMatchObject(refusedFor("not_friends"));
    await expect(world.send(bo, ana)).rejects.toMatchObject(refusedFor("not_friends"));
    expect(await world.list(ana)).toMatchObject([{ state: "closed", lastMessage: { text: "friends" } }]);
    await world.social.social.follow(bo, ana, true);
    await world.send(bo, ana, "again");
    const [carl, dee] = await world.strangers();
    await world.send(carl, dee);
    await world.answer(dee, carl, 1);
    await world.social.friends(carl, dee);
    await world.send(carl, dee, "as friends");
    await world.social.social.follow(dee, carl, false);
    expect((await world.send(carl, dee, "still")).conversation.state).toBe("open");
  });

  test("are no request between users who became friends", async () => {
    const [ana, bo] = await world.strangers();
    await world.send(ana, bo, "a request");
    await world.social.friends(ana, bo);
    expect(await world.list(bo, 1)).toEqual([]);
    const { conversations, requests, unread_total } = await world.page(bo);
    expect({ requests: requests.count, unread_total }).toEqual({ requests: 0, unread_total: 1 });
    expect(conversations[0]).toMatchObject({ state: "open" });
    await world.send(ana, bo, "as a friend");
    await world.social.social.follow(bo, ana, false);
    expect(await world.list(ana)).toMatchObject([{ state: "closed" }]);
  });

  test("bring a declined user who becomes a friend back into the list", async () => {
    const [ana, bo] = await world.strangers();
    await world.send(ana, bo);
    await world.answer(bo, ana, 0);
    await world.social.friends(ana, bo);
    await world.send(ana, bo, "friends now");
    expect(await world.list(bo)).toMatchObject([{ state: "open", unreadCount: 2 }]);
  });

  test("are rejected by the official account", async () => {
    const ana = await world.social.person();
    await expect(world.send(ana, world.official.userId)).rejects.toMatchObject(refusedFor("official"));
  });

  test("[MSG-9] are stored and pushed once per client id, with the same answer", async () => {
    const [ana, bo] = await world.friends();
    const [one, other] = await Promise.all([
      world.send(ana, bo, { text: "x", clientId: "same" }),
      world.send(ana, bo, { text: "x", clientId: "same" }),
    ]);
    const third = await world.send(ana, bo, { text: "x", clientId: "same" });
    expect([other.message, third.message]).toEqual([one.message, one.message]);
    expect(await world.texts(bo, ana)).toHaveLength(2);
    expect(world.tookMessages(bo)).toHaveLength(1);
    expect(world.tookMessages(ana)).toHaveLength(1);
    const [, carl] = [ana, await world.social.person()];
    await world.social.call(ana, carl);
    await expect(world.send(ana, carl, { text: "x", clientId: "same" })).rejects.toMatchObject({ code: 400 });
  });

  test("[MSG-9] return the request that was sent again, instead of rejecting a second one", async () => {
    const [ana, bo] = await world.strangers();
    const first = await world.send(ana, bo, { text: "hello", clientId: "again" });
    expect(await world.send(ana, bo, { text: "hello", clientId: "again" })).toEqual(first);
  });

  test("are rejected as a request with contact data or abuse, with the places of both", async () => {
    const [ana, bo] = await world.strangers();
    world.noted.length = 0;
    for (const [text, data] of [
      [
        "write to ana@example.com",
        { reason: "personal_data", findings: ["email"], spans: [{ start: 9, end: 24, finding: "email" }] },
      ],
      ["you whore", { reason: "abusive_text", findings: ["abuse"], spans: [{ finding: "abuse" }] }],
    ] as const)
      await expect(world.send(ana, bo, text)).rejects.toMatchObject({ code: 406, data: { ...data, field: "message" } });
    expect((await world.thread(bo, ana)).messages).toEqual([]);
    expect(world.noted).toMatchObject([
      { writerId: ana, readerId: bo, place: "message", lineRef: null },
      { writerId: ana, readerId: bo, place: "message", lineRef: null },
    ]);
    expect(notedKinds()).toEqual([["email"], ["insult"]]);
    for (const text of ["  ", "a\0b"]) await expect(world.send(ana, bo, text)).rejects.toMatchObject({ code: 400 });
    await world.send(ana, bo, "nice to meet you");
  });

  test("[TEXT-704] deliver contact data unchanged between users who may both write, and record nothing", async () => {
    const [ana, bo] = await world.friends();
    world.noted.length = 0;
    const text = "write to ana@example.com or t.me/ana, I live at 12 Main Street";
    const { message } = await world.send(ana, bo, text);
    expect(message).not.toHaveProperty("cover");
    expect((await world.thread(bo, ana)).messages[0]).toMatchObject({ text });
    const [carl, dee] = await world.strangers();
    await world.send(carl, dee);
    await world.send(dee, carl, text);
    expect(await world.texts(carl, dee)).toContain(text);
    expect(world.noted).toEqual([]);
  });

  test("[TEXT-705] cover abuse between friends wherever the message is shown, and show the cover to both", async () => {
    const [ana, bo] = await world.friends();
    await world.send(ana, bo, "hello");
    world.noted.length = 0;
    for (const userId of [ana, bo]) world.tookMessages(userId);
    const text = "kill yourself, you whore";
    const cover = { kind: "threat", text };
    const mine = { text, cover, position: "right" };
    const theirs = { text: "•••", cover, position: "left" };
    const sent = await world.send(ana, bo, { text, clientId: "covered" });
    expect(sent).toMatchObject({ message: mine, conversation: { lastMessage: mine } });
    expect(world.tookMessages(ana)).toMatchObject([{ message: mine, conversation: { lastMessage: mine } }]);
    expect(world.tookMessages(bo)).toMatchObject([
      { message: theirs, conversation: { lastMessage: theirs, unreadCount: 2 }, unread_total: 2 },
    ]);
    expect((await world.thread(ana, bo)).messages[0]).toMatchObject(mine);
    expect((await world.thread(bo, ana)).messages[0]).toMatchObject(theirs);
    expect(await world.list(bo)).toMatchObject([{ lastMessage: theirs }]);
    expect((await world.send(ana, bo, { text, clientId: "covered" })).message).toEqual(sent.message);
    expect(world.noted).toMatchObject([{ writerId: ana, readerId: bo, place: "message", lineRef: "covered" }]);
    expect(notedKinds()).toEqual([["insult", "threat"]]);
  });

  test("[TEXT-705] keep the cover when the friendship ends, and lose it with the text", async () => {
    const [ana, bo] = await world.friends();
    await world.send(ana, bo, "you whore");
    await world.social.social.follow(bo, ana, false);
    expect((await world.thread(bo, ana)).messages[0]).toMatchObject({ text: "•••", cover: { text: "you whore" } });
    await world.messages.eraseTextsOf(ana);
    const [erased] = (await world.thread(bo, ana)).messages;
    expect(erased).toMatchObject({ text: "" });
    expect(erased).not.toHaveProperty("cover");
  });

  test("[TEXT-701] reject sexual messages to a minor between friends, too", async () => {
    const [ana, bo] = await world.friends();
    world.noted.length = 0;
    const refusal = { code: 406, data: { reason: "abusive_text", field: "message" } };
    await expect(world.send(ana, bo, "are you under 18? show me your tits")).rejects.toMatchObject(refusal);
    expect((await world.thread(bo, ana)).messages).toEqual([]);
    expect(world.noted[0]?.findings.map(({ kind }) => kind)).toContain("minor");
    expect(world.noted[0]?.text).toBeDefined();
    expect(world.noted).toMatchObject([{ lineRef: null, readerId: bo }]);
  });

  test("are rejected if invisible, and keep four combining marks per base", async () => {
    const [ana, bo] = await world.friends();
    const refusal = { code: 406, data: { reason: "invisible_text", field: "text" } };
    for (const text of ["\u3164", "\u2800 \u200b", "\u{e0041}"])
      await expect(world.send(ana, bo, text)).rejects.toMatchObject(refusal);
    await world.send(ana, bo, `h${"\u0323".repeat(200)}`);
    expect((await world.thread(bo, ana)).messages[0]?.text).toBe(`h${"\u0323".repeat(4)}`);
  });

  test("are checked as sending would", async () => {
    const [ana, bo] = await world.strangers();
    const externalId = await world.social.externalIdOf(bo);
    const ask = (text: string, to?: string) =>
      world.handlers.chatCheck(contextOf(ana), { user_id: Number(ana), externalId: to, text });
    const found = {
      "write to ana@example.com": ["email"],
      "I live at 12 Main Street, you whore": ["address", "abuse"],
      "kill all jews": ["abuse"],
      "send nudes": ["solicitation"],
      "you whore, send nudes to t.me/ana": ["link", "abuse", "solicitation"],
    };
    for (const [text, findings] of Object.entries(found)) {
      const asked = await ask(text, externalId);
      expect(asked).toMatchObject({ findings, cover: null });
      expect(await ask(text)).toEqual(asked);
      const { spans } = asked;
      await expect(world.send(ana, bo, text)).rejects.toMatchObject({ code: 406, data: { findings, spans } });
    }
    for (const text of ["  ", "a\0b"]) await expect(ask(text)).rejects.toMatchObject({ code: 400 });
    expect(await ask("odd line a1b2c3")).toEqual({ findings: [], spans: [], cover: null });
    await world.social.friends(ana, bo);
    const covers = [null, "insult", "hate", "solicitation", "solicitation"];
    for (const [at, text] of Object.keys(found).entries()) {
      const cover = covers[at]!;
      expect(await ask(text, externalId)).toEqual({ findings: [], spans: [], cover });
      expect((await world.send(ana, bo, text)).message.cover?.kind ?? null).toBe(cover);
    }
    const minor = "are you under 18? show me your tits";
    expect(await ask(minor, externalId)).toMatchObject({ findings: ["solicitation"], cover: null });
    await expect(ask("hello", "nobody")).rejects.toMatchObject(refusals.notMet);
  });

  test("count towards the limit only as requests, and leave nothing behind above it", async () => {
    const [ana, bo] = await world.strangers();
    world.taken.length = 0;
    world.wait = 1_800;
    await expect(world.send(ana, bo)).rejects.toMatchObject({ code: 429, data: { retry_after: 1_800 } });
    world.wait = null;
    expect((await world.thread(ana, bo)).conversation.conversationID).toBe("");
    await world.send(ana, bo);
    await world.send(bo, ana);
    await world.send(ana, bo);
    expect(world.taken).toEqual([
      ["messageRequestByUser", String(ana)],
      ["messageRequestByUser", String(ana)],
    ]);
  });

  test("are announced as possible or not by a profile", async () => {
    const { messages } = world;
    const [ana, bo] = await world.strangers();
    const both = async () => [await messages.canMessage(ana, bo), await messages.canMessage(bo, ana)];
    expect(await both()).toEqual(["request", "request"]);
    await world.send(ana, bo);
    expect(await both()).toEqual(["no", "yes"]);
    await world.answer(bo, ana, 1);
    expect(await both()).toEqual(["yes", "yes"]);
    await world.social.social.block(bo, ana);
    expect(await both()).toEqual(["no", "no"]);
    expect(await messages.canMessage(ana, world.official.userId)).toBe("no");
  });

  test("are rejected for another user's id, and to oneself", async () => {
    const [ana, bo] = await world.friends();
    const input = { user_id: Number(bo), externalId: "ext-1", client_id: "x", text: "x" };
    await expect(world.handlers.messageSend(contextOf(ana), input)).rejects.toMatchObject({ code: 400 });
    await expect(world.send(ana, ana)).rejects.toMatchObject({ code: 400 });
  });
});
