import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formText, formUserId } from "../form.ts";
import { identifierLengthMax, spendingCapBeansMax } from "../limits.ts";

const capSchema = v.object({
  /** Beans a UTC day; null: no cap. */
  beans: v.nullable(v.number()),
  /** A requested higher cap, and from when it applies, milliseconds since the epoch. */
  pending: v.nullable(v.object({ beans: v.nullable(v.number()), from: v.number() })),
  /** Spent on filters today, including holds of running calls. */
  spent_today: v.number(),
});

export const beanWallet = endpoint({
  path: "/api/bean/wallet",
  summary: "Balance, debt, spending cap, and the rate that converts this user's beans to money",
  access: "user",
  isRead: true,
  appeal: true,
  input: { user_id: formUserId },
  output: v.object({
    /** Beans that can be spent; 0 while there is a debt. */
    balance: v.number(),
    /** Beans that the next purchase repays first. */
    debt: v.number(),
    /** Beans held for a running call. */
    held: v.number(),
    cap: capSchema,
    /** The pack that this user last paid for, otherwise the smallest pack. */
    rate: v.object({ golds: v.number(), price_minor: v.number(), currency_code: v.string() }),
  }),
});

export const beanCap = endpoint({
  path: "/api/bean/cap",
  summary: "Sets the spending cap: a lower one applies at once, a higher one or none after 24 hours",
  access: "user",
  input: {
    user_id: formUserId,
    /** Beans a UTC day; -1: no cap. */
    beans: formInteger(-1, spendingCapBeansMax),
  },
  output: capSchema,
});

/** Kinds of transfers as the user reads them. `credit`: beans returned or granted by us. */
const statementKinds = ["purchase", "call", "credit", "refund", "dispute", "adjustment"] as const;
export type StatementKind = (typeof statementKinds)[number];
/** Why beans were credited or deducted; each has a text in the catalogs. */
const creditReasons = [
  "failed_call",
  "moderated_call",
  "unchecked_call",
  "fake_person",
  "dispute_won",
  "support",
] as const;
export type CreditReason = (typeof creditReasons)[number];

export const beanStatement = endpoint({
  path: "/api/bean/statement",
  summary: "The user's bean transfers, newest first, each with the balance after it",
  access: "user",
  isRead: true,
  appeal: true,
  input: {
    user_id: formUserId,
    /** 0 all, 1 purchases, 2 calls, 3 credits. */
    filter: formChoice([0, 1, 2, 3]),
    /** `next` of the previous page. */
    cursor: v.optional(formText(1, identifierLengthMax)),
  },
  output: v.object({
    rows: v.array(
      v.object({
        id: v.string(),
        kind: v.picklist(statementKinds),
        reason: v.nullable(v.picklist(creditReasons)),
        /** Beans with their sign. */
        beans: v.number(),
        balance_after: v.number(),
        /** Milliseconds since the epoch. */
        at: v.number(),
        /** Order of a purchase, refund or dispute. */
        order_no: v.nullable(v.string()),
        /** Paid seconds of a call. */
        paid_seconds: v.nullable(v.number()),
        /** Until when this purchase can be withdrawn, milliseconds since the epoch; null: it cannot. */
        withdraw_until: v.nullable(v.number()),
      }),
    ),
    /** Null on the last page. */
    next: v.nullable(v.string()),
  }),
});
