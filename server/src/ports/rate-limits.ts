import {
  browsedPeoplePerDayMax,
  decisionNotificationsPerDayMax,
  hourNotificationsPerDayMax,
  invitationOpensPerHourMax,
  invitationsPerDayMax,
  matchNotificationsPerDayMax,
  mailChangesPerDayMax,
  meetNotificationsPerDayMax,
  messageNotificationsPerDayMax,
  networkTestsPerHourMax,
  noticesPerDayMax,
  noticesPerHourMax,
  waitEstimateIntervalMs,
  ringsOfFriendMax,
  ringsOfFriendWindowMs,
  ringNotificationsPerDayMax,
  ringsPerDayMax,
  textQuestionsPerDayMax,
} from "@fava/wire/limits.ts";

export interface LimitWindow {
  count: number;
  windowSeconds: number;
  /** How long to refuse after the limit was exceeded, in seconds. Undefined: until the window ends. */
  blockSeconds?: number;
}

export interface LimitRule {
  /** `address`: an IP address, of IPv6 the first 64 bits. */
  by: "address" | "key";
  /** True: the operator's factor does not change this limit. */
  isFixed?: boolean;
  windows: readonly LimitWindow[];
}

const minute = 60;
const tenMinutes = 600;
const hour = 3_600;
const day = 86_400;

/** Rate limits (rule GUARD-21). A request must be within every window of its rule. */
export const limitRules = {
  callByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  /** Counts each socket that is opened, even if the server rejects it. */
  socketByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  callByUser: { by: "key", windows: [{ count: 300, windowSeconds: minute }] },
  /** Frames, which do not count towards `callByAddress`. Enough for about 300 users in calls behind one address. */
  frameByAddress: { by: "address", windows: [{ count: 500, windowSeconds: 10 }] },
  signInByAddress: { by: "address", windows: [{ count: 20, windowSeconds: tenMinutes }] },
  signInByDevice: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes }] },
  signInByIdentity: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes, blockSeconds: tenMinutes }] },
  /** Attempts with recovery codes: from one address, and from one address at one account. */
  recoveryByAddress: { by: "address", windows: [{ count: 20, windowSeconds: hour }] },
  recoveryByAccount: { by: "key", windows: [{ count: 5, windowSeconds: tenMinutes, blockSeconds: tenMinutes }] },
  passkeyByUser: { by: "key", windows: [{ count: 30, windowSeconds: hour }] },
  registerByAddress: { by: "address", windows: [{ count: 5, windowSeconds: day }] },
  registerByDevice: { by: "key", windows: [{ count: 3, windowSeconds: day }] },
  matchStartByUser: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
  waitEstimateByUser: {
    by: "key",
    windows: [{ count: (minute * 1_000) / waitEstimateIntervalMs, windowSeconds: minute }],
  },
  relationByUser: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
  relationEventByPair: { by: "key", windows: [{ count: 1, windowSeconds: minute }] },
  blockByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  /** Searches of a moderator that read many texts or picture hashes. */
  deskSearchByUser: { by: "key", windows: [{ count: 20, windowSeconds: minute }] },
  searchByUser: { by: "key", windows: [{ count: 30, windowSeconds: minute }] },
  /** Distinct users that searches without a name have shown. */
  browsedPeopleByUser: { by: "key", windows: [{ count: browsedPeoplePerDayMax, windowSeconds: day }] },
  imageUploadByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** Milliseconds of processor time for decoding and judging a user's pictures. */
  decodeMsByUser: { by: "key", isFixed: true, windows: [{ count: 10_000, windowSeconds: minute }] },
  orderByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  orderByAddress: { by: "address", windows: [{ count: 20, windowSeconds: hour }] },
  /** The fifth declined payment within an hour blocks new orders for an hour. */
  declineByUser: { by: "key", windows: [{ count: 4, windowSeconds: hour, blockSeconds: hour }] },
  orderCheckByOrder: { by: "key", windows: [{ count: 1, windowSeconds: 3 }] },
  withdrawByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** Own and received frames of a call. The server requests each at most once a second. */
  inspectByUser: { by: "key", windows: [{ count: 150, windowSeconds: minute }] },
  messageByUser: { by: "key", windows: [{ count: 20, windowSeconds: 10 }] },
  /** Messages to users who have not accepted a message yet. */
  messageRequestByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  reportByUser: { by: "key", windows: [{ count: 20, windowSeconds: hour }] },
  translateByUser: { by: "key", windows: [{ count: 30, windowSeconds: minute }] },
  disputeByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  textQuestionByUser: { by: "key", windows: [{ count: textQuestionsPerDayMax, windowSeconds: day }] },
  talkByUser: { by: "key", windows: [{ count: 10, windowSeconds: day }] },
  mailChangeByUser: { by: "key", windows: [{ count: mailChangesPerDayMax, windowSeconds: day }] },
  mailTestByUser: { by: "key", windows: [{ count: 3, windowSeconds: minute }] },
  mailPageByAddress: { by: "address", windows: [{ count: 60, windowSeconds: minute }] },
  pushByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  messageNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: messageNotificationsPerDayMax, windowSeconds: day }],
  },
  networkTestByUser: { by: "key", windows: [{ count: networkTestsPerHourMax, windowSeconds: hour }] },
  inviteByUser: { by: "key", windows: [{ count: invitationsPerDayMax, windowSeconds: day }] },
  inviteOpenByUser: { by: "key", windows: [{ count: invitationOpensPerHourMax, windowSeconds: hour }] },
  ringByUser: { by: "key", windows: [{ count: ringsPerDayMax, windowSeconds: day }] },
  ringByPair: { by: "key", windows: [{ count: ringsOfFriendMax, windowSeconds: ringsOfFriendWindowMs / 1_000 }] },
  ringNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: ringNotificationsPerDayMax, windowSeconds: day }],
  },
  meetNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: meetNotificationsPerDayMax, windowSeconds: day }],
  },
  hourNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: hourNotificationsPerDayMax, windowSeconds: day }],
  },
  decisionNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: decisionNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Changes of a user's subscription to "Notify me when someone comes". */
  matchSubscriptionByUser: { by: "key", windows: [{ count: 30, windowSeconds: hour }] },
  matchNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: matchNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Searches of one user that notify others: pressing Start repeatedly must not use up their notifications. */
  tellingByUser: { by: "key", isFixed: true, windows: [{ count: 6, windowSeconds: hour }] },
  /** Questions to the vendor about one check. */
  ageAskByCheck: { by: "key", isFixed: true, windows: [{ count: 1, windowSeconds: 3 }] },
  ageWebhookByAddress: { by: "address", windows: [{ count: 120, windowSeconds: minute }] },
  noticeByAddress: { by: "address", windows: [{ count: noticesPerDayMax, windowSeconds: day }] },
  /** All notices together: more than moderators can read. */
  noticeFromAll: { by: "key", windows: [{ count: noticesPerHourMax, windowSeconds: hour }] },
  noticeAnswerByAddress: { by: "address", windows: [{ count: 20, windowSeconds: hour }] },
  exportByUser: { by: "key", windows: [{ count: 3, windowSeconds: day }] },
  forgedWebhookByAddress: { by: "address", windows: [{ count: 30, windowSeconds: minute }] },
  /** Reports of browsers about the content security policy, by sender and all together. */
  cspReportByAddress: { by: "address", windows: [{ count: 20, windowSeconds: minute }] },
  cspReportFromAll: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
  refusalByProvider: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
} as const satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof limitRules;

export interface Limits {
  /** Counts `amount` (default 1) under the key. Null if allowed, otherwise whole seconds until the next try. */
  take(limit: LimitName, key: string, amount?: number): Promise<number | null>;
  /** Seconds until a key is within its limit again, without counting; null if it is. */
  waitSeconds(limit: LimitName, key: string): Promise<number | null>;
}
