import {
  browsedPeoplePerDayMax,
  decisionNotificationsPerDayMax,
  fitNotificationsPerDayMax,
  messageNotificationsPerDayMax,
  networkTestsPerHourMax,
  outlookEveryMs,
  ringsOfFriendMax,
  ringsOfFriendWindowMs,
  ringNotificationsPerDayMax,
  ringsPerDayMax,
  textQuestionsPerDayMax,
} from "@fava/wire/limits.ts";

export interface LimitWindow {
  count: number;
  windowSeconds: number;
  /** Who goes over is refused for this long instead of to the end of the window. */
  blockSeconds?: number;
}

export interface LimitRule {
  /** An address is counted with its neighbours: IPv6 by its /64. */
  by: "address" | "key";
  /** No factor of an operator multiplies it. */
  isFixed?: boolean;
  windows: readonly LimitWindow[];
}

const minute = 60;
const tenMinutes = 600;
const hour = 3_600;
const day = 86_400;

/** How often something may happen (rule GUARD-21); every window of a rule has to allow it. */
export const limitRules = {
  callByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  /** Sockets that are opened, whatever becomes of them. */
  socketByAddress: {
    by: "address",
    windows: [
      { count: 60, windowSeconds: 10 },
      { count: 300, windowSeconds: minute },
    ],
  },
  callByUser: { by: "key", windows: [{ count: 300, windowSeconds: minute }] },
  /** Frames for the inspection, in place of `callByAddress`: of some 300 people in calls behind one address. */
  frameByAddress: { by: "address", windows: [{ count: 500, windowSeconds: 10 }] },
  signInByAddress: { by: "address", windows: [{ count: 20, windowSeconds: tenMinutes }] },
  signInByDevice: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes }] },
  signInByIdentity: { by: "key", windows: [{ count: 10, windowSeconds: tenMinutes, blockSeconds: tenMinutes }] },
  registerByAddress: { by: "address", windows: [{ count: 5, windowSeconds: day }] },
  registerByDevice: { by: "key", windows: [{ count: 3, windowSeconds: day }] },
  matchStartByUser: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
  outlookByUser: { by: "key", windows: [{ count: (minute * 1_000) / outlookEveryMs, windowSeconds: minute }] },
  relationByUser: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
  /** What one person is told of the other's follows and wishes to meet again. */
  relationEventByPair: { by: "key", windows: [{ count: 1, windowSeconds: minute }] },
  blockByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  searchByUser: { by: "key", windows: [{ count: 30, windowSeconds: minute }] },
  /** Different people whom a search without a name shows. */
  browsedPeopleByUser: { by: "key", windows: [{ count: browsedPeoplePerDayMax, windowSeconds: day }] },
  imageUploadByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** Milliseconds of a processor for one's pictures, of which there are no more anywhere. */
  decodeMsByUser: { by: "key", isFixed: true, windows: [{ count: 10_000, windowSeconds: minute }] },
  orderByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  orderByAddress: { by: "address", windows: [{ count: 20, windowSeconds: hour }] },
  /** The fifth declined payment of an hour is one too many: no new order for an hour. */
  declineByUser: { by: "key", windows: [{ count: 4, windowSeconds: hour, blockSeconds: hour }] },
  /** How often a person can make us ask the provider about an order. */
  orderCheckByOrder: { by: "key", windows: [{ count: 1, windowSeconds: 3 }] },
  withdrawByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  /** Own and received pictures of a call, asked for once a second at most each. */
  inspectByUser: { by: "key", windows: [{ count: 150, windowSeconds: minute }] },
  messageByUser: { by: "key", windows: [{ count: 20, windowSeconds: 10 }] },
  /** Messages to people who have not accepted any yet. */
  messageRequestByUser: { by: "key", windows: [{ count: 10, windowSeconds: hour }] },
  reportByUser: { by: "key", windows: [{ count: 20, windowSeconds: hour }] },
  /** Texts of which a writer says that they did not mean what was found. */
  disputeByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  /** Questions to a moderator about a refused text or a mute. */
  textQuestionByUser: { by: "key", windows: [{ count: textQuestionsPerDayMax, windowSeconds: day }] },
  /** Changes of languages and interests. */
  talkByUser: { by: "key", windows: [{ count: 10, windowSeconds: day }] },
  /** Browsers that are to be told something, or something else. */
  pushByUser: { by: "key", windows: [{ count: 60, windowSeconds: hour }] },
  /** Messages that people are told of while no page of theirs is open. */
  messageNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: messageNotificationsPerDayMax, windowSeconds: day }],
  },
  networkTestByUser: { by: "key", windows: [{ count: networkTestsPerHourMax, windowSeconds: hour }] },
  /** Rings, and those of one friend, by both. */
  ringByUser: { by: "key", windows: [{ count: ringsPerDayMax, windowSeconds: day }] },
  ringByPair: { by: "key", windows: [{ count: ringsOfFriendMax, windowSeconds: ringsOfFriendWindowMs / 1_000 }] },
  /** Rings that somebody is told of while no page of theirs is open. */
  ringNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: ringNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Decisions of ours that somebody is told of while no page of theirs is open. */
  decisionNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: decisionNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Changes of whom one wants to be told. */
  matchTellByUser: { by: "key", windows: [{ count: 30, windowSeconds: hour }] },
  /** Notifications that somebody waits who fits. */
  fitNotificationByUser: {
    by: "key",
    isFixed: true,
    windows: [{ count: fitNotificationsPerDayMax, windowSeconds: day }],
  },
  /** Times at which people are told that this one waits: whoever presses Start again and again uses up few of their wishes. */
  tellingByUser: { by: "key", isFixed: true, windows: [{ count: 6, windowSeconds: hour }] },
  exportByUser: { by: "key", windows: [{ count: 3, windowSeconds: day }] },
  /** Reports of payments with a wrong signature. */
  forgedWebhookByAddress: { by: "address", windows: [{ count: 30, windowSeconds: minute }] },
  /** Traces of refused webhooks. */
  refusalByProvider: { by: "key", windows: [{ count: 60, windowSeconds: minute }] },
} as const satisfies Record<string, LimitRule>;

export type LimitName = keyof typeof limitRules;

export interface Limits {
  /** Counts one more, or so many, under the key: null when it is allowed, otherwise the whole seconds to wait. */
  take(limit: LimitName, key: string, amount?: number): Promise<number | null>;
  /** The same answer for a key that went over, without counting. */
  waitSeconds(limit: LimitName, key: string): Promise<number | null>;
}
