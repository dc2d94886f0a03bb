import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice } from "../form.ts";

/** Whom a search looks for; `country`: anyone in a chosen country. */
export const liveWishes = ["any", "men", "women", "country"] as const;
export type LiveWish = (typeof liveWishes)[number];

/** What waits for a decision: queues of the desk, requests of authorities, and orders in review. */
export const liveQueues = [
  "reports",
  "restricted",
  "avatars",
  "photos",
  "texts",
  "notices",
  "appeals",
  "authorities",
  "orders",
] as const;
export type LiveQueue = (typeof liveQueues)[number];

export const adminCspReports = endpoint({
  path: "/admin/cspReports",
  summary: "What browsers refused under the content security policy, of the last 30 days, most frequent first",
  access: "admin",
  input: {},
  isRead: true,
  output: v.object({
    rows: v.array(
      v.object({
        directive: v.string(),
        /** A host, a scheme such as `data`, or a keyword such as `inline`. */
        blocked: v.string(),
        /** Path of the page, without its query. */
        path: v.string(),
        count: v.number(),
        /** The last UTC day with such a report, `YYYY-MM-DD`. */
        last_on: v.string(),
      }),
    ),
  }),
});

const count = v.number();
/** Half and 95 % of the durations are at most this many seconds; null: too few, or longer than ten minutes. */
const quantiles = { half: v.nullable(v.number()), most: v.nullable(v.number()) };
const waitRow = { found: count, ...quantiles };

export const adminLive = endpoint({
  path: "/admin/live",
  summary: "What happens now and happened in the last ten minutes, at all servers together",
  access: "admin",
  input: {},
  isRead: true,
  output: v.object({
    at: v.number(),
    /** Servers of the site, and how many of them are in these numbers. */
    servers: count,
    answered: count,
    calls: count,
    /** Whether all calls go through the relay; otherwise none has to. */
    is_relayed: v.boolean(),
    searching: v.array(v.object({ sex: v.picklist([1, 2]), wish: v.picklist(liveWishes), people: count })),
    /** Of the last minute. */
    matches_per_second: count,
    reports_per_minute: count,
    waits_by_wish: v.array(v.object({ wish: v.picklist(liveWishes), ...waitRow })),
    /** By the searcher's own country, most matches first. */
    waits_by_country: v.array(v.object({ country_id: v.number(), ...waitRow })),
    /** Calls that ended without both pictures; `of` are all calls that ended. */
    never_connected: v.object({ share: v.nullable(v.number()), of: count }),
    /** From the match to the first picture at both sides. */
    first_picture: v.object({ of: count, ...quantiles }),
    /** Users in calls by the level of the video that they send. */
    rungs: v.array(v.object({ rung: v.picklist([0, 1, 2, 3, 4]), people: count })),
    queues: v.array(
      v.object({
        queue: v.picklist(liveQueues),
        waiting: count,
        oldest_at: v.nullable(v.number()),
        /** Beyond the promised time; null for a queue without one. */
        overdue: v.nullable(count),
      }),
    ),
    over_time: v.array(
      v.object({
        at: v.number(),
        searching: count,
        calls: count,
        matches_per_second: count,
        reports_per_minute: count,
      }),
    ),
  }),
});

/** Days that the figures cover. */
export const figureSpans = [14, 90] as const;
/** Steps of a new account, by what is stored of it. */
export const funnelSteps = ["new", "profile", "search", "match", "call"] as const;
/** After how many days a new account is looked for. */
export const returnDays = [1, 7, 30] as const;

/** Null: fewer than 20 people or calls. */
const cell = v.nullable(v.number());

export const adminDaily = endpoint({
  path: "/admin/daily",
  summary: "Figures of the last days from stored counts: new accounts, returns, calls, waits; counts below 20 are null",
  access: "admin",
  input: { days: formChoice(figureSpans) },
  isRead: true,
  output: v.object({
    /**
     * `of`: new accounts of the days on which the step was counted. A step that was counted on none of the days is left
     * out: first searches are stored since a migration.
     */
    funnel: v.array(v.object({ step: v.picklist(funnelSteps), people: cell, of: cell })),
    /** `of`: accounts whose day of return has passed. */
    back: v.array(v.object({ after: v.picklist(returnDays), people: cell, of: cell })),
    /** Matches, calls with both videos, those of them under ten seconds, with a report, and ended for a violation. */
    calls: v.object({ matches: cell, connected: cell, short: cell, reported: cell, cut: cell }),
    /** Beans refunded to users for calls. */
    beans_back: v.number(),
    /**
     * Money of each currency in minor units, the largest sales first. `refunds`: orders with a completed refund, by the day it
     * was requested.
     */
    money: v.array(
      v.object({
        currency: v.string(),
        sold: v.number(),
        orders: v.number(),
        refunded: v.number(),
        refunds: v.number(),
      }),
    ),
    /**
     * What the relay sent for a call with both videos, as the pages reported it, in bytes, and what a thousand such
     * calls cost, in minor units. Null: the operator has set no price.
     */
    relay: v.nullable(v.object({ bytes_per_call: cell, thousand_calls: cell, currency: v.string() })),
    /** `searches`: those that ended; `matched`: those of them that ended with a match. */
    waits: v.array(
      v.object({ wish: v.picklist(liveWishes), found: cell, searches: cell, matched: cell, ...quantiles }),
    ),
    /** Complete UTC days, oldest first. */
    over_time: v.array(v.object({ day: v.string(), new: cell, connected: cell })),
  }),
});

/** What a site needs before it opens. */
export const setupItems = ["identity", "payments", "contact", "relay", "mail", "moderators", "legal"] as const;
export type SetupItem = (typeof setupItems)[number];

export const adminSetup = endpoint({
  path: "/admin/setup",
  summary: "What the site still lacks before it opens, as far as the server can tell",
  access: "admin",
  input: {},
  isRead: true,
  output: v.object({ items: v.array(v.object({ item: v.picklist(setupItems), is_done: v.boolean() })) }),
});

/**
 * `no_mail`: the site sends no mails. `no_address`: the administrator has confirmed none. `refused`: the mail server
 * refuses this mail or its address. `unreachable`: it did not answer, or refused the sign-in or the sender.
 */
export const mailTestOutcomes = ["sent", "no_mail", "no_address", "refused", "unreachable"] as const;
export type MailTestOutcome = (typeof mailTestOutcomes)[number];

export const adminMailTest = endpoint({
  path: "/admin/mail/test",
  summary: "Send a test mail to the administrator's own confirmed address at once, and tell what the mail server said",
  access: "admin",
  input: {},
  output: v.object({ outcome: v.picklist(mailTestOutcomes) }),
});
