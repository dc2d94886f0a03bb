import { beforeAll, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import type { Access, Endpoint } from "@fava/wire/endpoint.ts";
import { type Endpoints, endpoints } from "@fava/wire/endpoints.ts";
import { roles } from "@fava/wire/people.ts";
import type { Authentication } from "#ports/authentication.ts";
import type { Handlers } from "#ports/handlers.ts";
import { anaKey, anaSession, bannedNotice, liveAna, type Edge, openEdge } from "#test/fixtures/edge.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";

type Name = keyof Endpoints;

/**
 * The callers of each endpoint, stated a second time on purpose: an endpoint that becomes public by mistake fails here.
 */
const expected: { readonly [Kind in Access]: readonly Name[] } = {
  public: [
    "accountRestore",
    "appealAdd",
    "appealPushAdd",
    "appealPushDel",
    "appealPushInfo",
    "appealStatus",
    "countryList",
    "getLanguage",
    "login",
    "loginPrepare",
    "noticeAdd",
    "noticeAnswer",
    "noticeStatus",
    "passkeyLogin",
    "passkeyLoginPrepare",
    "recoveryLogin",
    "transparency",
  ],
  user: [
    "accountDel",
    "accountInfo",
    "active",
    "ageBegin",
    "ageInfo",
    "apartList",
    "beanCap",
    "beanStatement",
    "beanWallet",
    "block",
    "blockList",
    "chatCheck",
    "chatReport",
    "conversationList",
    "fansList",
    "feedback",
    "followList",
    "friendList",
    "getUserId",
    "homePeople",
    "inviteList",
    "inviteTakeBack",
    "kindRead",
    "likeList",
    "logout",
    "logoutAll",
    "mailInfo",
    "mailUpdate",
    "matchInfo",
    "matchInfoUpdate",
    "matchStop",
    "messageList",
    "messageRead",
    "muteAsk",
    "myInfo",
    "myWeek",
    "newPhoto",
    "orderStatus",
    "orderWithdraw",
    "passkeyAdd",
    "passkeyDel",
    "passkeyInfo",
    "passkeyPrepare",
    "pauseAsk",
    "pushAdd",
    "pushDel",
    "pushInfo",
    "rechargeToken",
    "recentList",
    "recoveryCodes",
    "talkInfo",
    "testRoomSign",
    "textAsk",
    "textDispute",
    "unblock",
    "userExport",
    "userInfo",
    "userUpdate",
  ],
  complete: [
    "apart",
    "conversationAnswer",
    "follow",
    "imageAdd",
    "imageDel",
    "imageOrder",
    "imageUpload",
    "invite",
    "inviteOpen",
    "kindSend",
    "like",
    "matchWaitEstimate",
    "matchStart",
    "matchSubscription",
    "matchSubscriptionInfo",
    "hourList",
    "hourRemind",
    "meetAgain",
    "messageReact",
    "messageSend",
    "ring",
    "ringAnswer",
    "ringCancel",
    "ringMute",
    "startVideo",
    "talkUpdate",
    "textTranslate",
    "userSearch",
    "videoInspect",
  ],
  moderator: [
    "adminAgeAsk",
    "adminAppeal",
    "adminAppealList",
    "adminAppealOperate",
    "adminAvatarList",
    "adminAvatarOperate",
    "adminCase",
    "adminClaim",
    "adminDecisionList",
    "adminDesk",
    "adminFigures",
    "adminFind",
    "adminImageDelete",
    "adminImageList",
    "adminImageOperate",
    "adminImagesDelete",
    "adminLabelList",
    "adminLabeling",
    "adminLook",
    "adminNote",
    "adminNotice",
    "adminNoticeList",
    "adminNoticeOperate",
    "adminPerson",
    "adminQuickForbid",
    "adminReportList",
    "adminReportOperate",
    "adminReportReopen",
    "adminReset",
    "adminSameIp",
    "adminSameIpOperate",
    "adminSampleList",
    "adminSampleLook",
    "adminSampleOperate",
    "adminSecondOperate",
    "adminShift",
    "adminShiftWrite",
    "adminTextList",
    "adminTextOperate",
    "adminTextTranslate",
  ],
  admin: [
    "adminAuthorityAdd",
    "adminAuthorityClose",
    "adminAuthorityHold",
    "adminAuthorityList",
    "adminCspReports",
    "adminDaily",
    "adminJobs",
    "adminLive",
    "adminMailTest",
    "adminSetup",
    "adminHourAdd",
    "adminHourList",
    "adminHourRemove",
    "adminOrderResolve",
    "adminPackAdd",
    "adminPackRemove",
    "adminPricesUpdate",
    "adminSetRole",
    "adminShopInfo",
    "adminTextRules",
  ],
};

/** Each role includes the rights of the previous ones. */
const mayMake: Record<string, readonly Access[]> = {
  visitor: ["public"],
  incomplete: ["public", "user"],
  user: ["public", "user", "complete"],
  moderator: ["public", "user", "complete", "moderator"],
  administrator: ["public", "user", "complete", "moderator", "admin"],
};

type Refusal = { code: number; data: unknown };
const noSession: Refusal = { code: codes.noSession, data: { reason: "expired" } };
const role: Refusal = { code: codes.forbidden, data: { reason: "role" } };
const incomplete: Refusal = { code: codes.forbidden, data: { reason: "profile_incomplete" } };

/** The error of each caller for an endpoint that they may not call. */
const refusalFor: Record<string, (access: Access) => Refusal> = {
  visitor: () => noSession,
  incomplete: (access) => (access === "complete" ? incomplete : role),
  user: () => role,
  moderator: () => role,
};

const sessions: Record<string, Authentication> = {
  incomplete: live({ role: roles.user, profileComplete: false }),
  user: live({ role: roles.user }),
  moderator: live({ role: roles.moderator }),
  administrator: live({ role: roles.administrator }),
  banned: { kind: "banned", notice: bannedNotice },
  kicked: { kind: "ended", reason: "kicked", signKeys: [anaKey] },
};

let edge: Edge;
/** Endpoints whose handlers ran since the last check. */
const reached: string[] = [];

beforeAll(async () => {
  const handlers = Object.fromEntries(
    Object.keys(endpoints).map((name) => [name, async () => void reached.push(name)]),
  ) as unknown as Handlers;
  edge = await openEdge(handlers);
  for (const [who, session] of Object.entries(sessions)) edge.tokens.set(`tok_${who}`, session);
});

function live(change: Partial<typeof anaSession>): Authentication {
  return { ...liveAna, session: { ...anaSession, ...change } };
}

const accessOf = (name: Name): Access =>
  (Object.keys(expected) as Access[]).find((access) => expected[access].includes(name)) ?? "admin";
const names = Object.keys(endpoints) as Name[];

/**
 * The answer to a request without fields: an allowed caller gets an error about the form or a result, never about
 * rights.
 */
async function answerFor(who: string, name: Name): Promise<Refusal> {
  const caller = who === "visitor" ? edge.visitor : { ...edge.ana, token: `tok_${who}` };
  const endpoint: Endpoint = endpoints[name];
  const { code, data } = await signedCall(caller, endpoint, {});
  return { code, data };
}

test("lists every endpoint once, with the permissions of its record", () => {
  expect(Object.values(expected).flat().toSorted()).toEqual(names.toSorted());
  expect(names.filter((name) => endpoints[name].access !== accessOf(name))).toEqual([]);
  expect(new Set(names.map((name) => endpoints[name].path)).size).toBe(names.length);
});

test("has exactly the endpoints of the desk under /admin", () => {
  const isDesk = (name: Name) => accessOf(name) === "moderator" || accessOf(name) === "admin";
  expect(names.filter((name) => endpoints[name].path.startsWith("/admin/") !== isDesk(name))).toEqual([]);
});

const callers = Object.keys(mayMake);
const pairs = callers.flatMap((who) => names.map((name) => ({ who, name, access: accessOf(name) })));

test.each(pairs.filter(({ who, access }) => mayMake[who]?.includes(access)))(
  "[CASE-91] lets $who call $name",
  async ({ who, name }) => {
    expect([codes.ok, codes.badInput]).toContain((await answerFor(who, name)).code);
  },
);

test.each(pairs.filter(({ who, access }) => !mayMake[who]?.includes(access)))(
  "[CASE-91] refuses $name to $who",
  async ({ who, name, access }) => {
    reached.length = 0;
    expect(await answerFor(who, name)).toEqual(refusalFor[who]?.(access));
    expect(reached).toEqual([]);
  },
);

test.each(names)("[CASE-92] answers a banned user only with the notice: %s", async (name) => {
  reached.length = 0;
  expect(await answerFor("banned", name)).toEqual({ code: codes.banned, data: bannedNotice });
  expect(reached).toEqual([]);
});

test.each(names)("tells a user whose session was replaced, or treats the user as a visitor: %s", async (name) => {
  const expectedAnswer =
    accessOf(name) === "public"
      ? await answerFor("visitor", name)
      : { code: codes.noSession, data: { reason: "kicked" } };
  expect(await answerFor("kicked", name)).toEqual(expectedAnswer);
});

test("[CASE-93] rejects requests in another user's name, whatever the role", async () => {
  for (const who of ["user", "moderator", "administrator"]) {
    reached.length = 0;
    const caller = { ...edge.ana, token: `tok_${who}` };
    const { code, data } = await signedCall(caller, endpoints.myInfo, { user_id: Number(anaSession.userId) + 1 });
    expect({ code, data }).toEqual({ code: codes.forbidden, data: { reason: "not_yours" } });
    expect(reached).toEqual([]);
  }
});
