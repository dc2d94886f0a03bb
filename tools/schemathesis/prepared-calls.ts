import { createECDH, randomBytes } from "node:crypto";
import { PNG } from "pngjs";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { accountDel } from "@fava/wire/endpoints/account.ts";
import { adminAppealList, appealAdd } from "@fava/wire/endpoints/appeals.ts";
import {
  adminClaim,
  adminQuickForbid,
  adminReportList,
  adminReportOperate,
  adminSetRole,
} from "@fava/wire/endpoints/desk.ts";
import { imageAdd, imageUpload, newPhoto } from "@fava/wire/endpoints/images.ts";
import { messageSend } from "@fava/wire/endpoints/messages.ts";
import { adminAuthorityAdd, adminNoticeList, adminNoticeOperate, noticeAdd } from "@fava/wire/endpoints/notices.ts";
import { feedback } from "@fava/wire/endpoints/moderation.ts";
import { myInfo, userUpdate } from "@fava/wire/endpoints/profile.ts";
import { login } from "@fava/wire/endpoints/session.ts";
import { rechargeToken } from "@fava/wire/endpoints/shop.ts";
import { follow, userSearch } from "@fava/wire/endpoints/social.ts";
import { adminTextList, textAsk } from "@fava/wire/endpoints/text-questions.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { PriceList, RechargeAnswer } from "@fava/wire/gateway.ts";
import { type Caller, signedCall, signedUpload } from "@fava/server/test/fixtures/signed-call.ts";
import { SitePerson } from "@fava/server/test/fixtures/site-person.ts";
import { accepted, sandboxToken, signInByApi } from "../../e2e/support/session.ts";

type Name = keyof Endpoints;
type Fields = Readonly<Record<string, unknown>>;

/** A caller, by the key that `hooks.py` knows. */
interface Person {
  readonly key: string;
  readonly id: number;
  readonly no: string;
  readonly externalId: string;
  readonly caller: Caller;
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
}

/** Of an allowed host; the product's sandbox sends nothing there. */
const pushService = "https://fcm.googleapis.com/wp/";

/** What `hooks.py` reads: who calls each operation, and bodies that can succeed, each sent once. */
export class PreparedCalls implements AsyncDisposable {
  readonly callers: Record<string, object> = {};
  readonly bodies: Partial<Record<Name, { caller: string | null; fields: Fields }[]>> = {};
  /** Generated bodies of these operations are sent by a user who may lose the session or the account. */
  readonly byOperation: Partial<Record<Name, string>> = { logout: "Zoe", logoutAll: "Zoe", accountDel: "Zoe" };
  readonly byAccess = { public: null, user: "Ana", complete: "Ana", moderator: "Mia", admin: "ada" };
  readonly files: Record<string, string> = {};
  readonly #url: string;
  readonly #pages: SitePerson[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  get target(): string {
    return this.#url;
  }

  add(name: Name, by: Person | null, fields: Fields): void {
    (this.bodies[name] ??= []).push({ caller: by?.key ?? null, fields });
  }

  /** Signs a user in without a page. */
  async person(key: string): Promise<Person> {
    const session = await signInByApi(this.#url, key === "ada" ? key : { name: key });
    const { token, signKey, stored } = session;
    return this.#personOf(key, { token, signKey, id: Number(stored["uid"]), externalId: stored["externalId"] ?? "" });
  }

  /** Signs a user in with an open page. */
  async page(key: string): Promise<Person & { site: SitePerson }> {
    const site = await SitePerson.at({ url: this.#url }, key, 2);
    this.#pages.push(site);
    const { token = "", signKey = "" } = site.caller;
    const parts = { token, signKey: String(signKey), id: site.userId, externalId: site.chatSign.tencentId };
    return { ...(await this.#personOf(key, parts)), site };
  }

  async #personOf(key: string, { token, signKey, id, externalId }: SignedIn): Promise<Person> {
    const caller = { target: this.#url, token, signKey };
    this.callers[key] = { token, signKey, userId: id };
    const ask: Person["ask"] = async (endpoint, input) => accepted(await signedCall(caller, endpoint, input));
    const { user_no: no } = await ask(myInfo, { user_id: id });
    return { key, id, no, externalId, caller, ask };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pages.map((page) => page[Symbol.asyncDispose]()));
  }
}

interface SignedIn {
  token: string;
  signKey: string;
  id: number;
  externalId: string;
}

export async function preparedCalls(url: string): Promise<PreparedCalls> {
  const calls = new PreparedCalls(url);
  const ada = await calls.person("ada");
  const [mia, ben] = [await calls.person("Mia"), await calls.person("Ben")];
  for (const { id } of [mia, ben]) await ada.ask(adminSetRole, { user_id: ada.id, other_id: id, role: 2 });
  const ana = await calls.page("Ana");
  await addContacts(calls, ana);
  await addMeetings(calls);
  await addPictures(calls, { ana, mia });
  await addOrders(calls, ana);
  await addCases(calls, { ada, mia });
  await addAppeals(calls, { mia, ben });
  await addNotices(calls, { ada, mia });
  await addAccounts(calls, mia);
  return calls;
}

/** Messages and rings between friends. */
async function addContacts(calls: PreparedCalls, ana: Person): Promise<void> {
  const leo = await calls.page("Leo");
  for (const [one, other] of [
    [ana, leo],
    [leo, ana],
  ] as const) {
    await one.ask(userSearch, { user_id: one.id, text: other.no });
    await one.ask(follow, { userId: one.id, followUserId: other.id, on: 1 });
  }
  const own = { user_id: ana.id, externalId: leo.externalId };
  const line = { user_id: leo.id, externalId: ana.externalId, client_id: "c1", text: "Hello Ana" };
  const { message } = await leo.ask(messageSend, line);
  calls.add("messageSend", ana, { ...own, client_id: "c2", text: "Hello Leo" });
  calls.add("messageList", ana, own);
  calls.add("messageRead", ana, { ...own, up_to: message.id });
  calls.add("getUserId", ana, { externalId: leo.externalId });
  calls.add("chatReport", ana, { user_id: ana.id, id: 7, other_id: leo.id, message_id: message.id });
  calls.add("ring", ana, { user_id: ana.id, other_id: leo.id });
  calls.add("follow", ana, { userId: ana.id, followUserId: leo.id, on: 1 });
  calls.add("like", ana, { userId: ana.id, likeUserId: leo.id, on: 1 });
  calls.add("userInfo", ana, { userId: ana.id, otherId: leo.id });
  const { site: one, ...caller } = await calls.page("Ida");
  const { site: other, ...callee } = await calls.page("Kai");
  await befriend(one, other);
  const ringing = await one.ring(other);
  if (ringing.state !== "ringing") throw new Error(`the ring is ${ringing.state}`);
  calls.add("ringCancel", caller, { user_id: caller.id, id: ringing.id });
  calls.add("ringAnswer", callee, { user_id: callee.id, id: ringing.id, accept: 0 });
  calls.add("ringMute", callee, { user_id: callee.id, other_id: caller.id, on: 1 });
}

async function befriend(one: SitePerson, other: SitePerson): Promise<void> {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const { data } = await to.request(myInfo, { user_id: to.userId });
    await from.request(userSearch, { user_id: from.userId, text: data.user_no });
    await from.follow(to);
  }
}

/** A running call, and one that has ended. */
async function addMeetings(calls: PreparedCalls): Promise<void> {
  const meet = async (first: string, second: string) => {
    const people = [await calls.page(first), await calls.page(second)] as const;
    for (const { site } of people) await site.start();
    let room = "";
    for (const { site } of people) {
      const { roomId, token } = await site.matched();
      await site.join(roomId);
      site.say({ type: "media", roomId, roomToken: token, state: "playing" });
      room = roomId;
    }
    return { one: people[0], other: people[1], room };
  };
  const { one, room } = await meet("Pia", "Paul");
  calls.add("matchInfoUpdate", one, { user_id: one.id, id: room });
  calls.add("startVideo", one, { user_id: one.id, id: room });
  const ended = await meet("Rita", "Sven");
  await ended.one.site.stop();
  const [rita, sven] = [ended.one, ended.other];
  const request = { user_id: rita.id, externalId: sven.externalId, client_id: "c1", text: "Nice to meet you" };
  await rita.ask(messageSend, request);
  calls.add("conversationAnswer", sven, { user_id: sven.id, externalId: rita.externalId, accept: 1 });
  const { one: tess, other: uwe } = await meet("Tess", "Uwe");
  calls.add("block", tess, { user_id: tess.id, other_id: uwe.id });
  calls.add("feedback", rita, { user_id: rita.id, id: 7, other_id: sven.id });
  calls.add("apart", rita, { user_id: rita.id, other_id: sven.id, on: 1 });
  calls.add("meetAgain", sven, { user_id: sven.id, other_id: rita.id, on: 1 });
}

async function addPictures(calls: PreparedCalls, { ana, mia }: { ana: Person; mia: Person }): Promise<void> {
  const file = PNG.sync.write(new PNG({ width: 600, height: 600, fill: true }));
  calls.files["file"] = file.toString("base64");
  calls.files["frame"] = file.toString("base64");
  const uploaded = async (person: Person) => {
    const { id } = accepted(await signedUpload(person.caller, imageUpload, { input: {}, file }));
    return id;
  };
  const photoOf = async (person: Person) => {
    const id = await uploaded(person);
    await person.ask(imageAdd, { user_id: person.id, id });
    return id;
  };
  calls.add("imageUpload", ana, {});
  calls.add("imageAdd", ana, { user_id: ana.id, id: await uploaded(ana) });
  const tom = await calls.person("Tom");
  const [first, second] = [await photoOf(tom), await photoOf(tom)];
  calls.add("imageOrder", tom, { user_id: tom.id, ids: `${second},${first}` });
  const una = await calls.person("Una");
  calls.add("imageDel", una, { user_id: una.id, id: await photoOf(una) });
  calls.add("adminImageOperate", mia, { user_id: mia.id, id: await photoOf(una), operation: 1 });
  calls.add("adminImageDelete", mia, { user_id: mia.id, other_id: una.id, id: await photoOf(una), reason_id: 1 });
  await una.ask(userUpdate, { user_id: una.id, avatar: await uploaded(una) });
  const { avatar } = await una.ask(newPhoto, { user_id: una.id });
  calls.add("adminAvatarOperate", mia, { user_id: mia.id, id: avatar?.id ?? "", operation: 1 });
}

async function addOrders(calls: PreparedCalls, ana: Person): Promise<void> {
  const orders = [await paidOrder(calls, ana), await paidOrder(calls, ana)];
  calls.add("orderStatus", ana, { user_id: ana.id, order_no: orders[0], check: 1 });
  calls.add("orderWithdraw", ana, { user_id: ana.id, order_no: orders[1] });
}

/** Buys a pack of the price list with a test card. */
async function paidOrder({ target }: PreparedCalls, person: Person): Promise<string> {
  const { token } = await person.ask(rechargeToken, { user_id: person.id });
  const entry = async (data: object): Promise<unknown> => {
    const query = new URLSearchParams({ Api_name: "third_recharge", Api_data: JSON.stringify(data) });
    return (await fetch(`${target}/gateway/entry?${query.toString()}`)).json();
  };
  const common = { user_id: person.no, token, back_type: 2 };
  const { data } = (await entry({
    ...common,
    op: "price_list",
    country_id: 18,
    recharge_type: 4,
    platform: "web",
  })) as { data: PriceList };
  const [pack, payType] = [data.list[0], data.paytype_list[0]];
  const order = (await entry({
    ...common,
    op: "recharge_payermax",
    country_type: 0,
    amount: pack?.money,
    recharge_id: pack?.id,
    country_code: payType?.country_code,
    pay_type: payType?.id,
    jump_url: `${target}/chargeReturn`,
    origin_type: 1,
  })) as RechargeAnswer;
  const paid = await fetch(`${order.data}/card`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number: "4242424242424242" }),
  });
  if (!paid.ok) throw new Error(`the test card was refused: ${await paid.text()}`);
  return order.order_no;
}

interface Staff {
  ada: Person;
  mia: Person;
  ben: Person;
}

/** Reported users: one case to read, one to claim, one to decide, one decided by Mia, and a permanent ban. */
async function addCases(calls: PreparedCalls, { ada, mia }: Omit<Staff, "ben">): Promise<void> {
  const reporters = [await calls.person("Rob"), await calls.person("Rea"), await calls.person("Ron")];
  const caseOf = async (name: string) => {
    const person = await calls.person(name);
    for (const reporter of reporters) {
      await reporter.ask(userSearch, { user_id: reporter.id, text: person.no });
      await reporter.ask(feedback, { user_id: reporter.id, other_id: person.id, id: 6 });
    }
    const { rows } = await mia.ask(adminReportList, { user_id: mia.id });
    const id = rows.find((row) => row.person.user_id === person.id)?.id;
    if (id === undefined) throw new Error(`no case of ${name}`);
    return { id, person };
  };
  const claim = (staff: Person, item: string) => staff.ask(adminClaim, { user_id: staff.id, item, on: 1 });
  const open = await caseOf("Olaf");
  calls.add("adminCase", ada, { user_id: ada.id, id: open.id });
  const decided = await caseOf("Nils");
  await claim(mia, `case:${decided.id}`);
  await mia.ask(adminReportOperate, { user_id: mia.id, id: decided.id, operation: 1 });
  calls.add("adminReportReopen", mia, { user_id: mia.id, id: decided.id });
  const claimed = await caseOf("Otto");
  await claim(mia, `case:${claimed.id}`);
  calls.add("adminReportOperate", mia, { user_id: mia.id, id: claimed.id, operation: 3, reason_id: 7 });
  const asked = await caseOf("Quin");
  await claim(ada, `case:${asked.id}`);
  calls.add("adminAgeAsk", ada, { user_id: ada.id, id: asked.id });
  const permanent = await calls.person("Xena");
  await mia.ask(adminQuickForbid, { user_id: mia.id, other_id: permanent.id, hours: 0, reason_id: 1 });
  const { seconds } = await ada.ask(adminAppealList, { user_id: ada.id });
  const second = seconds.find(({ person }) => person.user_id === permanent.id);
  if (!second) throw new Error("no permanent ban waits");
  await claim(ada, `case:${second.id}`);
  calls.add("adminSecondOperate", ada, { user_id: ada.id, id: second.id, operation: 2 });
  const linked = [await calls.person("Yves"), await calls.person("Yara")] as const;
  const pair = { other_id: linked[0].id, linked_id: linked[1].id };
  calls.add("adminSameIpOperate", mia, { user_id: mia.id, ...pair, operation: 1 });
}

/** Bans with an appeal token: without an appeal, with one that waits, and with one that Ben has claimed. */
async function addAppeals(calls: PreparedCalls, { mia, ben }: Omit<Staff, "ada">): Promise<void> {
  const push = { endpoint: `${pushService}appeal`, ...browserKeys() };
  const banned = async (name: string) => {
    const person = await calls.person(name);
    await mia.ask(adminQuickForbid, { user_id: mia.id, other_id: person.id, hours: 168, reason_id: 7 });
    const data = await refusedSignIn(calls, name);
    return { appeal_token: String(data["appeal_token"]) };
  };
  const appeal = { ground: 1, text: "It was not me", email: "" } as const;
  const visitor = { target: calls.target };
  calls.add("appealAdd", null, { ...(await banned("Vera")), ...appeal });
  const waiting = await banned("Walt");
  accepted(await signedCall(visitor, appealAdd, { ...waiting, ...appeal }));
  calls.add("appealStatus", null, waiting);
  calls.add("appealPushInfo", null, waiting);
  calls.add("appealPushAdd", null, { ...waiting, ...push });
  calls.add("appealPushDel", null, waiting);
  const { appeals } = await ben.ask(adminAppealList, { user_id: ben.id });
  const id = appeals[0]?.id ?? "";
  await ben.ask(adminClaim, { user_id: ben.id, item: `appeal:${id}`, on: 1 });
  calls.add("adminAppeal", ben, { user_id: ben.id, id });
  calls.add("adminAppealOperate", ben, { user_id: ben.id, id, outcome: "lifted", answer: "You are right" });
  const own = await calls.person("Nina");
  const subscription = {
    user_id: own.id,
    ...push,
    endpoint: `${pushService}own`,
    kinds: "0",
    names: 0,
    quiet: 0,
  };
  calls.add("pushAdd", own, subscription);
}

/** The keys that a browser sends with its push subscription. */
function browserKeys() {
  const key = createECDH("prime256v1");
  return {
    p256dh: key.generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
    offset_min: 0,
  };
}

/** The details of a sign-in that is refused, as after a ban or a deletion. */
async function refusedSignIn({ target }: PreparedCalls, name: string): Promise<Record<string, unknown>> {
  const account = { ...(await sandboxToken(target, { name })), login_type: 1, source: 1 } as const;
  const { code, data } = await signedCall<typeof login, Record<string, unknown>>({ target }, login, account);
  if (code === 200) throw new Error(`${name} is signed in`);
  return data;
}

async function addNotices(calls: PreparedCalls, { ada, mia }: Omit<Staff, "ben">): Promise<void> {
  const notice = { kind: "illegal", signature: "A visitor", email: "visitor@example.org", good_faith: 1 } as const;
  const added = async (text: string) => {
    const { token, no } = accepted(await signedCall({ target: calls.target }, noticeAdd, { ...notice, text }));
    const { rows } = await mia.ask(adminNoticeList, { user_id: mia.id });
    return { token, id: rows.find((row) => row.no === no)?.id ?? "" };
  };
  calls.add("noticeAdd", null, { ...notice, text: "A photo of a stolen passport" });
  const [open, asked] = [await added("A photo of stolen goods"), await added("A name that is a threat")];
  calls.add("noticeStatus", null, { token: open.token });
  calls.add("adminNotice", mia, { user_id: mia.id, id: open.id });
  await mia.ask(adminClaim, { user_id: mia.id, item: `notice:${open.id}`, on: 1 });
  calls.add("adminNoticeOperate", mia, { user_id: mia.id, id: open.id, operation: 2, text: "Nothing illegal" });
  await mia.ask(adminClaim, { user_id: mia.id, item: `notice:${asked.id}`, on: 1 });
  const question = { user_id: mia.id, id: asked.id, operation: 3, text: "Which name?" } as const;
  await mia.ask(adminNoticeOperate, question);
  calls.add("noticeAnswer", null, { token: asked.token, text: "The second one" });
  const request = {
    authority: "A court",
    country: "DE",
    kind: "information",
    basis: "A law",
    received: "2026-11-01",
  } as const;
  const account = { account: ada.no, hold: 1 } as const;
  calls.add("adminAuthorityAdd", ada, { user_id: ada.id, ...request });
  const [held, closed] = [
    await ada.ask(adminAuthorityAdd, { user_id: ada.id, ...request, ...account }),
    await ada.ask(adminAuthorityAdd, { user_id: ada.id, ...request }),
  ];
  calls.add("adminAuthorityHold", ada, { user_id: ada.id, id: held.id, on: 0 });
  calls.add("adminAuthorityClose", ada, { user_id: ada.id, id: closed.id, outcome: "refused" });
}

/** Sign-in, the end of an account, and its return. */
async function addAccounts(calls: PreparedCalls, mia: Person): Promise<void> {
  const newcomer = await sandboxToken(calls.target, { name: "Lou" });
  calls.add("login", null, { ...newcomer, login_type: 1, source: 1 });
  await calls.person("Zoe");
  const gone = await calls.person("Gus");
  await gone.ask(accountDel, { user_id: gone.id, user_no: gone.no });
  const { restore_token: token } = await refusedSignIn(calls, "Gus");
  calls.add("accountRestore", null, { restore_token: token, source: 1 });
  const leaving = await calls.person("Hal");
  calls.add("accountDel", leaving, { user_id: leaving.id, user_no: leaving.no });
  const everywhere = await calls.person("Jan");
  calls.add("logoutAll", everywhere, { user_id: everywhere.id });
  const asking = [await calls.person("Kim"), await calls.person("Liv")] as const;
  const question = { place: "about", text: "Write to me at kim@example.org" } as const;
  calls.add("textAsk", asking[0], { user_id: asking[0].id, ...question });
  await asking[1].ask(textAsk, { user_id: asking[1].id, ...question });
  const { rows } = await mia.ask(adminTextList, { user_id: mia.id });
  await mia.ask(adminClaim, { user_id: mia.id, item: `text:${rows[0]?.id}`, on: 1 });
  calls.add("adminTextOperate", mia, { user_id: mia.id, id: rows[0]?.id, operation: 1 });
}
