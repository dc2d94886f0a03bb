import * as v from "valibot";
import { endpoint } from "../endpoint.ts";
import { formChoice, formInteger, formUserId } from "../form.ts";
import { topicHourMinutes } from "../limits.ts";
import { interests, spokenLanguages } from "../talk.ts";

/** A language or an interest, by its id; the other one is null. */
const topic = { language: v.nullable(v.number()), interest: v.nullable(v.number()) };

/** Times in milliseconds since the epoch. */
const hourSchema = v.object({ id: v.number(), ...topic, starts_at: v.number(), ends_at: v.number() });

export const hourList = endpoint({
  path: "/api/hours",
  summary: "Hours for a language or an interest that run now or begin within a day, soonest first",
  access: "complete",
  isRead: true,
  input: { user_id: formUserId },
  output: v.object({
    /** `reminds`: the user is notified when this hour begins. */
    rows: v.array(v.object({ ...hourSchema.entries, reminds: v.picklist([0, 1]) })),
  }),
});

export const hourRemind = endpoint({
  path: "/api/hours/remind",
  summary: "Notify the user once when an hour begins, or not",
  access: "complete",
  input: { user_id: formUserId, id: formInteger(1, Number.MAX_SAFE_INTEGER), on: formChoice([0, 1]) },
  output: v.strictObject({}),
});

const planned = v.object({ ...hourSchema.entries, is_weekly: v.picklist([0, 1]) });

export const adminHourList = endpoint({
  path: "/admin/hours/list",
  summary: "All planned hours with their next time, soonest first",
  access: "admin",
  isRead: true,
  input: {},
  output: v.object({ rows: v.array(planned) }),
});

export const adminHourAdd = endpoint({
  path: "/admin/hours/add",
  summary: "Plan an hour for a language or an interest, once or every week",
  access: "admin",
  input: {
    /** The topic is one of the two, a spoken language or an interest; -1: not this one. */
    spoken: formInteger(-1, spokenLanguages.length - 1),
    interest: formInteger(-1, interests.length - 1),
    starts_at: formInteger(0, Number.MAX_SAFE_INTEGER),
    minutes: formChoice(topicHourMinutes),
    is_weekly: formChoice([0, 1]),
  },
  output: planned,
});

export const adminHourRemove = endpoint({
  path: "/admin/hours/remove",
  summary: "Remove an hour with its reminders",
  access: "admin",
  input: { id: formInteger(1, Number.MAX_SAFE_INTEGER) },
  output: v.strictObject({}),
});
