import {
  browsedPeoplePerDayMax,
  decisionNotificationsPerDayMax,
  matchNotificationsPerDayMax,
  messageNotificationsPerDayMax,
  networkTestsPerHourMax,
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
  /** Seconds of refusal after the limit is exceeded, instead of until the end of the window. */
  blockSeconds?: number;
}

export interface LimitRule {
  /** IPv6 addresses are counted by their /64. */
  by: "address" | "key";
  /** The operator's factor does not apply. */
  isFixed?: boolean;
  windows: readonly LimitWindow[];
}

const minute = 60;
const tenMinutes = 600;
const hour = 3_600;
const day = 86_400;

/** Rate limits (rule GUARD-21); a request has to pass every window of its rule. */
export const limitRules = {
  callByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  /** Every opened socket, even if it is rejected. */
  socketByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  callByUser: { by: "key", windows: [{ count: 300, windowSeconds: minute }] },
  /** Inspected frames, instead of `callByAddress`: enough for about 300 users in calls behind one address. */
  frameByAddress: { by: "address", windows: [{ count: 500, windowSeconds: 10 }] },
  signInByAddress: { by: "address", windows: [{ count: 20, windowSeconds: tenMinutes }] },
  signInByDevice: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes }] },
  signInByIdentity: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes, blockSeconds: tenMinutes }] },
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
  searchByUser: { by: "key", windows: [{ count: 30, windowSeconds: minute }] },
  /** Distinct users that a search without a name shows. */
  browsedPeopleByUser: { by: "key", windows: [{ count: browsedPeoplePerDayMax, windowSeconds: day }] },
  imageUploadByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** Processor time for decoding and judging a user's pictures, in milliseconds. */
  decodeMsByUser: { by: "key", isFixed: true, windows: [{ count: 10_000, windowSeconds: minute }] },
  orderByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  orderByAddress: { by: "address", windows: [{ count: 20, windowSeconds: hour }] },
  /** The fifth declined payment within an hour blocks new orders for an hour. */
  declineByUser: { by: "key", windows: [{ count: 4, windowSeconds: hour, blockSeconds: hour }] },
  orderCheckByOrder: { by: "key", windows: [{ count: 1, windowSeconds: 3 }] },
  withdrawByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** The user's own and received frames of a call, each requested at most once a second. */
  inspectByUser: { by: "key", windows: [{ count: 150, windowSeconds: minute }] },
  messageByUser: { by: "key", windows: [{ count: 20, windowSeconds: 10 }] },
  /** Messages to users who have not accepted any yet. */
  messageRequestByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  reportByUser: { by: "key", windows: [{ count: 20, windowSeconds: hour }] },
  disputeByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  textQuestionByUser: { by: "key", windows: [{ count: textQuestionsPerDayMax, windowSeconds: day }] },
  talkByUser: { by: "key", windows: [{ count: 10, windowSeconds: day }] },
  pushByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  /** Message notifications while no page is open. */
  messageNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: messageNotificationsPerDayMax, windowSeconds: day }],
  },
  networkTestByUser: { by: "key", windows: [{ count: networkTestsPerHourMax, windowSeconds: hour }] },
  ringByUser: { by: "key", windows: [{ count: ringsPerDayMax, windowSeconds: day }] },
  ringByPair: { by: "key", windows: [{ count: ringsOfFriendMax, windowSeconds: ringsOfFriendWindowMs / 1_000 }] },
  ringNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: ringNotificationsPerDayMax, windowSeconds: day }],
  },
  decisionNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: decisionNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Changes of the request for a notification of a fitting search. */
  matchSubscriptionByUser: { by: "key", windows: [{ count: 30, windowSeconds: hour }] },
  matchNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: matchNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Searches of one user that notify others: pressing Start repeatedly must not use up their notifications. */
  tellingByUser: { by: "key", isFixed: true, windows: [{ count: 6, windowSeconds: hour }] },
  exportByUser: { by: "key", windows: [{ count: 3, windowSeconds: day }] },
  forgedWebhookByAddress: { by: "address", windows: [{ count: 30, windowSeconds: minute }] },
  refusalByProvider: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
} as const satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof limitRules;

export interface Limits {
  /** Counts `amount` (default 1) under the key; null if allowed, otherwise the whole seconds to wait. */
  take(limit: LimitName, key: string, amount?: number): Promise<number | null>;
  /** Seconds to wait for a key over its limit, without counting; null if allowed. */
  waitSeconds(limit: LimitName, key: string): Promise<number | null>;
}
