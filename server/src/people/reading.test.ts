import { beforeAll, describe, expect, test } from "vitest";
import { interfaceLanguages } from "@fava/wire/languages.ts";
import { listPageRows } from "@fava/wire/limits.ts";
import { MessageWorld } from "#test/fixtures/message-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";
import { contextOf, refusals } from "#test/fixtures/social-world.ts";

describe("messages", () => {
  let world: MessageWorld;

  beforeAll(async () => {
    world = await MessageWorld.open();
  });

  test("reads a conversation page by page, newest first, without repeating or missing a message", async () => {
    const [ana, bo] = await world.friends();
    const written: string[] = [];
    for (let number = 1; number <= listPageRows + 5; number += 1) {
      written.push(`line ${number}`);
      await world.send(number % 2 === 0 ? ana : bo, number % 2 === 0 ? bo : ana, `line ${number}`);
    }
    const first = await world.thread(ana, bo);
    expect(first.messages).toHaveLength(listPageRows);
    const second = await world.thread(ana, bo, first.next ?? "");
    expect(second.next).toBeNull();
    const all = [...first.messages, ...second.messages].toReversed();
    expect(all.map(({ text }) => text).slice(1)).toEqual(written);
    const ids = all.map(({ id }) => BigInt(id));
    expect(ids).toEqual(ids.toSorted((one, other) => Number(one - other)));
  });

  test("never moves the read mark back, and rejects one past the last message", async () => {
    const [ana, bo] = await world.friends();
    const one = await world.send(ana, bo, "one");
    const two = await world.send(ana, bo, "two");
    await world.send(bo, ana, "an answer, which reads nothing");
    expect((await world.list(bo))[0]?.unreadCount).toBe(2);
    expect(await world.read(bo, ana, one.message.id)).toBe(1);
    const late = { code: 400, data: { field: "up_to" } };
    const answer = await world.send(bo, ana, "another answer");
    for (const upTo of [String(BigInt(answer.message.id) + 1n), "9999999999999999999"]) {
      expect(await refusalOf(world.read(bo, ana, upTo))).toEqual(late);
    }
    expect((await world.list(bo))[0]?.unreadCount).toBe(1);
    expect(await world.read(bo, ana, answer.message.id)).toBe(0);
    expect(await world.read(bo, ana, one.message.id)).toBe(0);
    const [cem, dee] = await world.strangers();
    expect(await refusalOf(world.read(cem, dee, "1"))).toEqual(late);
    expect(await world.read(cem, dee, "0")).toBe(0);
    await world.send(ana, bo, "three");
    expect(await world.list(bo)).toMatchObject([{ unreadCount: 1 }]);
    expect(await world.read(bo, ana, two.message.id)).toBe(1);
    expect(await world.wrongCounters()).toEqual([]);
  });

  test("[MSG-15] notifies a friend and the reader's other pages of what was read, but no stranger", async () => {
    const [ana, bo] = await world.friends();
    const { message } = await world.send(ana, bo);
    for (const person of [ana, bo]) world.social.tookSocial(person);
    await world.read(bo, ana, message.id);
    const read = { kind: "read", up_to: message.id, unread_total: 0 };
    expect(world.social.tookSocial(bo)).toEqual([
      { ...read, by: "me", externalId: await world.social.externalIdOf(ana) },
    ]);
    expect(world.social.tookSocial(ana)).toEqual([
      { ...read, by: "other", externalId: await world.social.externalIdOf(bo) },
    ]);
    expect((await world.list(ana))[0]?.read_up_to).toBe(message.id);
    await world.read(bo, ana, message.id);
    expect(world.social.tookSocial(ana)).toEqual([]);

    const [carl, dee] = await world.strangers();
    const request = await world.send(carl, dee);
    world.social.tookSocial(carl);
    await world.read(dee, carl, request.message.id);
    expect(world.social.tookSocial(carl)).toEqual([]);
    expect((await world.list(carl))[0]?.read_up_to).toBeNull();
  });

  test("sorts conversations by their last message in full pages", async () => {
    const ana = await world.social.person();
    const others: bigint[] = [];
    for (let number = 0; number < listPageRows + 6; number += 1) {
      const other = await world.social.person();
      others.unshift(other);
      await world.social.call(ana, other);
      await world.send(other, ana, `from ${number}`);
      await world.answer(ana, other, 1);
    }
    const [blocked, deleted] = [others[2]!, others[5]!];
    await world.social.social.block(ana, blocked);
    await world.social.delete(deleted);
    const shown = others.filter((other) => other !== blocked && other !== deleted).map(Number);
    const first = await world.page(ana);
    expect(first.conversations.map(({ userId }) => userId)).toEqual(shown.slice(0, listPageRows));
    expect(first.unread_total).toBe(shown.length);
    const second = await world.page(ana, { cursor: first.next ?? "" });
    expect(second.next).toBeNull();
    expect(second.conversations.map(({ userId }) => userId)).toEqual([
      ...shown.slice(listPageRows),
      Number(world.official.userId),
    ]);
  });

  test("follows a full last page by one with the official account only", async () => {
    const ana = await world.social.person();
    for (let number = 0; number < listPageRows; number += 1) {
      const other = await world.social.person();
      await world.social.call(ana, other);
      await world.send(ana, other);
    }
    const first = await world.page(ana);
    expect(first.conversations).toHaveLength(listPageRows);
    const second = await world.page(ana, { cursor: first.next ?? "" });
    expect(second.conversations).toMatchObject([{ state: "official" }]);
    expect(second.next).toBeNull();
  });

  test("[MSG-17] omits a blocked or deleted user from lists, requests and totals of both", async () => {
    const [ana, bo] = await world.friends();
    await world.send(bo, ana, "unread");
    const [carl, dee] = await world.strangers();
    await world.social.call(carl, ana);
    await world.send(carl, ana, "a request");
    await world.send(dee, carl, "another");
    expect((await world.page(ana)).requests.count).toBe(1);
    await world.social.social.block(ana, bo);
    await world.social.delete(carl);
    expect(await world.page(ana)).toMatchObject({ unread_total: 0, requests: { count: 0, latest_nick: null } });
    expect([await world.list(ana), await world.list(ana, 1), await world.list(bo)]).toEqual([[], [], []]);
    for (const [one, other] of [
      [ana, bo],
      [bo, ana],
      [ana, carl],
    ] as const) {
      await expect(world.thread(one, other)).rejects.toMatchObject(refusals.notMet);
      await expect(world.send(one, other)).rejects.toMatchObject(refusals.notMet);
    }
  });

  test("shows everybody the official account with a welcome in their language", async () => {
    const ana = await world.social.person();
    const texts = new Set<string>();
    for (const { value: language } of interfaceLanguages) {
      const { conversations, unread_total, next } = await world.page(ana, {}, language);
      expect(conversations).toMatchObject([{ state: "official", isContact: true, unreadCount: 0 }]);
      expect({ unread_total, next }).toEqual({ unread_total: 0, next: null });
      const text = conversations[0]?.lastMessage?.text ?? "";
      expect(text).toContain("help@example.com");
      texts.add(text);
    }
    expect(texts.size).toBe(interfaceLanguages.length);
    const { messages, conversation } = await world.thread(ana, world.official.userId);
    expect(messages).toEqual([conversation.lastMessage]);
    expect(messages[0]).toMatchObject({ position: "left", msgType: "text" });
    expect(await world.read(ana, world.official.userId, "0")).toBe(0);
    await expect(world.read(ana, world.official.userId, "1")).rejects.toMatchObject({ code: 400 });
    expect(await world.list(ana, 1)).toEqual([]);
  });

  test("[MSG-19] keeps conversations of an erased account without its texts", async () => {
    const [ana, bo] = await world.friends();
    await world.send(ana, bo, "mine");
    await world.send(bo, ana, "theirs");
    await world.messages.eraseTextsOf(ana);
    expect((await world.texts(bo, ana)).slice(1)).toEqual(["", "theirs"]);
  });

  test("rejects an invalid cursor", async () => {
    const [ana, bo] = await world.friends();
    await expect(world.thread(ana, bo, "x' or 1=1")).rejects.toMatchObject({ code: 400 });
    const input = { user_id: Number(ana), box: 0 as const, cursor: "-1" };
    await expect(world.handlers.conversationList(contextOf(ana), input)).rejects.toMatchObject({ code: 400 });
  });
});
