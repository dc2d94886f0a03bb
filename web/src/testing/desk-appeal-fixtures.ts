import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { AppealRow } from "@fava/wire/endpoints/appeals.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { caseIdOf, caseOf, deskFace } from "#testing/desk-case-fixtures.ts";
import { appealRow } from "#testing/desk-makers.ts";
import type { Answers } from "#testing/fixture-world.ts";

export type Figures = OutputOf<Endpoints["adminFigures"]>;
type AppealDetail = OutputOf<Endpoints["adminAppeal"]>;
type AppealLists = OutputOf<Endpoints["adminAppealList"]>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A permanent ban by Vera, which waits for a second opinion. */
function secondOf(index: number, nowMs: number, change: Partial<AppealRow> = {}): AppealRow {
  const about = { hours: 0, reason_id: 1, due_at: nowMs + 71 * hourMs } as const;
  return appealRow(caseIdOf(index), { kind: "second", person: deskFace(index), ...about, ...change });
}

/** An appeal against a ban of seven days. */
function appealOf(index: number, nowMs: number, change: Partial<AppealRow> = {}): AppealRow {
  return appealRow(String(index), { person: deskFace(index), due_at: nowMs + 71 * hourMs, ...change });
}

/** Zola and Kai, whom the reader decided on, for a second opinion; appeals of Noor, Omar (late) and Rosa. */
export function appealLists(nowMs: number): AppealLists {
  return {
    seconds: [secondOf(3, nowMs), secondOf(2, nowMs, { is_own: true })],
    appeals: [appealOf(6, nowMs), appealOf(4, nowMs, { is_late: true, due_at: nowMs - hourMs }), appealOf(7, nowMs)],
  };
}

/** An appeal against a ban for harassment, by one of the desk's people. */
export function appealDetailOf(index: number, nowMs: number, change: Partial<AppealDetail> = {}): AppealDetail {
  return {
    appeal: {
      id: String(index),
      state: "received",
      ground: 2,
      text: "We were joking. We play a word game and “clown” is what the loser is called. Please look at the whole chat, not three lines.",
      at: nowMs - dayMs,
      answer_by: nowMs + 2 * dayMs,
      decided_at: null,
      answer: "",
      until: null,
      beans_returned: 0,
    },
    language: "ar",
    ban: {
      at: nowMs - dayMs,
      until: nowMs + 6 * dayMs,
      reason_id: 2,
      by: "person",
      is_provisional: false,
      rule: null,
      call_at: nowMs - dayMs,
      reports: 1,
      strike: 2,
      strike_until: nowMs + 89 * dayMs,
    },
    decided_by: "Vera",
    cut_beans: 3_200,
    case: caseOf(index, nowMs),
    person: deskFace(index),
    closed_because: null,
    ...change,
  };
}

const waitingPerDay = [22, 15, 14, 27, 41, 52, 39, 42, 71, 55, 44, 52, 61, 69];
const reviewMinutes = [5.2, 4.9, 5.4, 4.6, 4.1, null, 6.2, 5.1, 4.4, 4, 3.9, 4.3, 3.8, 3.7];

/** Two weeks of a desk that became faster, one of its days without a decision. */
export function figuresOf(nowMs: number): Figures {
  const day = (index: number) => nowMs - (13 - index) * dayMs;
  return {
    waiting: 69,
    oldest_at: nowMs - 26 * 60_000,
    review_minutes: 3.7,
    review_minutes_before: 5.2,
    overturned: { share: 0.041, of: 390 },
    machine_right: { share: 0.88, of: 1_649 },
    audit: { looked: 2_984, explicit: 1, share_max: 0.001_589 },
    waiting_over_time: waitingPerDay.map((waiting, index) => ({ at: day(index), waiting })),
    review_over_time: reviewMinutes.map((minutes, index) => ({ at: day(index), minutes })),
    rules: [
      { rule: "code_in_picture", share: 0.97, of: 412 },
      { rule: "explicit_picture", share: 0.94, of: 188 },
      { rule: "contact_in_chat", share: 0.92, of: 655 },
      { rule: "abuse_in_chat", share: 0.83, of: 240 },
      { rule: "reports_many", share: 0.71, of: 96 },
      { rule: "frozen_picture", share: 0.64, of: 58 },
    ],
    overturned_by_reason: [
      { reason_id: 1, share: 0.021, of: 94 },
      { reason_id: 3, share: 0.014, of: 140 },
      { reason_id: 6, share: 0.03, of: 33 },
      { reason_id: 2, share: 0.078, of: 102 },
      { reason_id: 8, share: 0.095, of: 21 },
    ],
  };
}

type TextRule = OutputOf<Endpoints["adminTextRules"]>["rows"][number];

const textRule = (rule: string, kind: TextRule["kind"], change: Partial<TextRule>): TextRule => {
  const language = rule.startsWith("contact:") ? null : rule.slice(0, rule.indexOf(":"));
  return { rule, kind, language, phrase: null, writers: 40, disputed: 0, is_marked: false, ...change };
};

/** Rules of several languages, two of which are disputed too often. */
export const textRules: TextRule[] = [
  textRule("id:31", "threat", {
    phrase: "(mending|lebih baik) mati lampu?",
    writers: 12,
    disputed: 7,
    is_marked: true,
  }),
  textRule("zh-CN:18", "solicitation", {
    phrase: "(给|让) 我 (看|瞧) (奶子|胸)",
    writers: 58,
    disputed: 13,
    is_marked: true,
  }),
  textRule("contact:phone", "phone", { writers: 412, disputed: 39 }),
  textRule("ar:7", "insult", { phrase: "(يا|انت) عاهرة", writers: 23, disputed: 1 }),
  textRule("en:12", "threat", { phrase: "(kill yourself|kys|end your life|…)", writers: 96, disputed: 4 }),
  textRule("tr:5", "solicitation", { phrase: "(soyun|çıplak ol) (lütfen)?", writers: 31 }),
];

/** A desk without decisions so far. */
export const noFigures: Figures = {
  waiting: 0,
  oldest_at: null,
  review_minutes: null,
  review_minutes_before: null,
  overturned: { share: null, of: 0 },
  machine_right: { share: null, of: 0 },
  audit: { looked: 0, explicit: 0, share_max: null },
  waiting_over_time: [],
  review_over_time: [],
  rules: [],
  overturned_by_reason: [],
};

export function deskAppealAnswers(nowMs: number): Answers {
  return {
    adminAppealList: appealLists(nowMs),
    adminAppeal: ({ id }) => appealDetailOf(Number(id), nowMs),
    adminAppealOperate: {},
    adminSecondOperate: {},
    adminFigures: figuresOf(nowMs),
    adminTextRules: { rows: textRules },
  };
}
