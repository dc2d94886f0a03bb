import type { ParsedInputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { addressGroup } from "#lib/address-group.ts";
import { typedNumber } from "#lib/typed-number.ts";
import { takeFromLimit } from "#lib/take-from-limit.ts";
import type { RequestContext } from "#ports/handlers.ts";
import type { LimitName, Limits } from "#ports/rate-limits.ts";

/** Limits of single endpoints, in addition to the limits of all requests (rule GUARD-21). */
const byCaller: { readonly [Name in keyof Endpoints]?: { address?: LimitName; user?: LimitName } } = {
  loginPrepare: { address: "signInByAddress" },
  login: { address: "signInByAddress" },
  accountRestore: { address: "signInByAddress" },
  passkeyLoginPrepare: { address: "signInByAddress" },
  passkeyLogin: { address: "signInByAddress" },
  recoveryLogin: { address: "recoveryByAddress" },
  passkeyPrepare: { user: "passkeyByUser" },
  passkeyAdd: { user: "passkeyByUser" },
  passkeyDel: { user: "passkeyByUser" },
  recoveryCodes: { user: "passkeyByUser" },
  feedback: { user: "reportByUser" },
  chatReport: { user: "reportByUser" },
  textAsk: { user: "textQuestionByUser" },
  muteAsk: { user: "textQuestionByUser" },
  matchStart: { user: "matchStartByUser" },
  matchWaitEstimate: { user: "waitEstimateByUser" },
  follow: { user: "relationByUser" },
  like: { user: "relationByUser" },
  hourRemind: { user: "relationByUser" },
  meetAgain: { user: "relationByUser" },
  kindSend: { user: "relationByUser" },
  apart: { user: "relationByUser" },
  ringMute: { user: "relationByUser" },
  block: { user: "blockByUser" },
  unblock: { user: "blockByUser" },
  userSearch: { user: "searchByUser" },
  messageSend: { user: "messageByUser" },
  messageReact: { user: "relationByUser" },
  videoInspect: { user: "inspectByUser" },
  imageUpload: { user: "imageUploadByUser" },
  textDispute: { user: "disputeByUser" },
  textTranslate: { user: "translateByUser" },
  adminTextTranslate: { user: "translateByUser" },
  adminMailTest: { user: "mailTestByUser" },
  noticeAdd: { address: "noticeByAddress" },
  noticeAnswer: { address: "noticeAnswerByAddress" },
};

interface Caller {
  readonly ip: string;
  readonly userKey: string | null;
}

/** Limits that depend on the input and are checked after the schema. */
const byInput: {
  readonly [Name in keyof Endpoints]?: (input: ParsedInputOf<Endpoints[Name]>, caller: Caller) => [LimitName, string][];
} = {
  noticeAdd: () => [["noticeFromAll", "all"]],
  adminFind: ({ of }, { userKey }) => (of === "texts" && userKey !== null ? [["deskSearchByUser", userKey]] : []),
  adminSameIp: ({ by }, { userKey }) => (by === "profile" && userKey !== null ? [["deskSearchByUser", userKey]] : []),
  testRoomSign: ({ network }, { userKey }) =>
    network === 1 && userKey !== null ? [["networkTestByUser", userKey]] : [],
  passkeyLogin: ({ imei }) => byDevice(imei),
  // By address too, for the same reason as below.
  recoveryLogin: ({ user_no, imei }, { ip }) => [
    ...byDevice(imei),
    ["recoveryByAccount", `${addressGroup(ip)} ${typedNumber(user_no)}`],
  ],
  login: (input, { ip }) => [
    ...byDevice(input.imei),
    // By address too: otherwise anyone who knows a user's id could lock them out everywhere.
    ["signInByIdentity", `${addressGroup(ip)} ${input.login_type}:${input.third_party_id}`],
  ],
};

function byDevice(deviceId: string): [LimitName, string][] {
  return deviceId === "" ? [] : [["signInByDevice", deviceId]];
}

export async function limitAddress(limits: Limits, name: keyof Endpoints, ip: string): Promise<void> {
  await takeFromLimit(limits, name === "videoInspect" ? "frameByAddress" : "callByAddress", ip);
}

export async function limitCaller(limits: Limits, name: keyof Endpoints, context: RequestContext): Promise<void> {
  const userKey = userKeyOf(context);
  const own = byCaller[name];
  // The server requested each frame: the user's other requests must not use up its quota.
  if (userKey !== null && name !== "videoInspect") await takeFromLimit(limits, "callByUser", userKey);
  if (own?.address) await takeFromLimit(limits, own.address, context.ip);
  if (own?.user && userKey !== null) await takeFromLimit(limits, own.user, userKey);
}

export async function limitInput(
  limits: Limits,
  name: keyof Endpoints,
  { input, context }: { input: unknown; context: RequestContext },
): Promise<void> {
  // The input passed the schema of this endpoint, which the type of the table cannot express for a union of names.
  const limitsOf = byInput[name] as ((input: unknown, caller: Caller) => [LimitName, string][]) | undefined;
  if (!limitsOf) return;
  const caller = { ip: context.ip, userKey: userKeyOf(context) };
  for (const [limit, key] of limitsOf(input, caller)) await takeFromLimit(limits, limit, key);
}

function userKeyOf({ session }: RequestContext): string | null {
  return session && String(session.userId);
}
