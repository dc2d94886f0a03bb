import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { CaseDetail, CaseLine, CaseRow, DeskFace, DeskPerson } from "@fava/wire/moderation.ts";
import { caseDetail, caseRow, claimOf, deskPerson } from "#testing/desk-makers.ts";
import { countryOf, portraitOf } from "#testing/fixtures.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Ids count up from these. */
export const firstPerson = 1_000;
export const firstCase = 20_418;

const people = ["Marko", "Jon", "Kai", "Zola", "Omar", "Inês", "Noor", "Rosa"] as const;
const reasons = [9, 4, 5, 10, 6, 11, 7, 5] as const;

/** One of the eight people of the desk: Marko, Jon, Kai, Zola, Omar, Inês, Noor and Rosa. */
export function deskFace(index: number): DeskFace {
  const nickname = people[index % people.length] ?? people[0];
  return {
    user_id: firstPerson + index,
    user_no: String(10_482_193 + index * 811),
    nickname,
    avatar: portraitOf(`desk-${index}`),
  };
}

/** The id of the case about one of them. */
export function caseIdOf(index: number): string {
  return String(firstCase + index);
}

/**
 * Marko's is the most severe and about blackmail, Jon is paused, Vera has claimed Kai's, and Zola's waits for a second
 * opinion.
 */
export function caseRowOf(index: number, nowMs: number): CaseRow {
  return caseRow(caseIdOf(index), {
    reason_id: reasons[index] ?? 5,
    rule: index === 1 ? "explicit_picture_sure" : "report",
    harm: index < 2 ? 1 : 3,
    opened_at: nowMs - (4 + index * 3) * minuteMs,
    reporters: 1 + (index % 3),
    person: deskFace(index),
    is_paused: index === 1,
    state: index === 3 ? "second" : "open",
    claim: index === 2 ? claimOf("Vera", nowMs + 9.7 * minuteMs) : null,
  });
}

/** All that the desk knows of one of them: something in every part. */
export function deskPersonOf(index: number, nowMs: number, change: Partial<DeskPerson> = {}): DeskPerson {
  const { country_name, country_flag } = countryOf("TR");
  return deskPerson({
    ...deskFace(index),
    country_name,
    country_flag,
    about: "I like films, long walks and the sea.",
    location: "Izmir",
    joined_at: nowMs - 54 * dayMs,
    strikes: [{ at: nowMs - 20 * dayMs, expires_at: nowMs + 70 * dayMs, reason_id: 2 }],
    next_hours: 168,
    labels: [1, 2],
    same: [
      { ...deskFace(1), what: "device", is_banned: true, seen_at: nowMs - dayMs, open_case: null },
      { ...deskFace(2), what: "address", is_banned: false, seen_at: nowMs, open_case: caseIdOf(2) },
      { ...deskFace(4), what: "address", is_banned: false, seen_at: nowMs, open_case: null },
      { ...deskFace(5), what: "address", is_banned: false, seen_at: nowMs - dayMs, open_case: null },
    ],
    earlier: [
      { at: nowMs, kind: "report", reason_id: 9, by: null, note: "" },
      { at: nowMs - 19 * dayMs, kind: "warn", reason_id: 5, by: "Vera", note: "first time" },
      { at: nowMs - 33 * dayMs, kind: "reject", reason_id: 10, by: "Ines", note: "" },
      { at: nowMs - 48 * dayMs, kind: "image_approve", reason_id: null, by: null, note: "" },
    ],
    images: [
      { id: "i1", kind: "avatar", status: "approved" },
      { id: "i2", kind: "photo", status: "pending" },
      { id: "i3", kind: "photo", status: "refused" },
    ],
    ...change,
  });
}

type Said = readonly [from: CaseLine["from"], text: string, change?: Pick<CaseLine, "withheld" | "reported">];

const addMe = "i have all of this on video. add me marko_91 on telegram";
const said: readonly Said[] = [
  ["person", "come on dont be boring"],
  ["other", "i said no, please stop asking"],
  ["person", "where are you from"],
  ["other", "not telling"],
  [
    "person",
    "i have all of this on video. add me •••",
    { withheld: { how: "hidden", original: addMe, spans: [{ start: 36, end: addMe.length, finding: "handle" }] } },
  ],
  [
    "person",
    "pay or your friends get it tonight",
    {
      withheld: {
        how: "covered",
        kind: "threat",
        original: "pay or your friends get it tonight",
        spans: [{ start: 0, end: 34, finding: "abuse" }],
      },
      reported: true,
    },
  ],
  ["other", "bye"],
];

/** The case about one of them: three moments of a call, the first from one side only, and a chat of seven lines. */
export function caseOf(index: number, nowMs: number, change: Partial<CaseDetail> = {}): CaseDetail {
  return caseDetail(caseRowOf(index, nowMs), {
    call: { id: "call", at: nowMs - 6 * minuteMs, live: index === 0 },
    moments: [30, 20, 10].map((secondsAgo, place) => ({
      at: nowMs - 4 * minuteMs - secondsAgo * 1_000,
      own: `own-${place}`,
      received: place === 0 ? null : `received-${place}`,
      explicit: [0.05, 0.62, 0.08][place] ?? 0,
      agreement: place === 0 ? null : 0.97,
    })),
    check: { explicit: 0.08, model: "three", shadow: false },
    estimated_age: null,
    lines: said.map(([from, text, change], line) => ({
      at: nowMs - 5 * minuteMs + line * 9_000,
      from,
      text,
      ...change,
    })),
    erase_at: nowMs + 30 * dayMs,
    reports: [
      {
        at: nowMs - 4 * minuteMs,
        reason_id: 9,
        judged: 6,
        right: 5,
        note: "He says that he filmed me and wants money.",
      },
      { at: nowMs - 6 * minuteMs, reason_id: 5, judged: 0, right: 0, note: "" },
    ],
    subject: deskPersonOf(index, nowMs),
    first: index === 3 ? firstDecision(nowMs) : null,
    ...change,
  });
}

function firstDecision(nowMs: number): CaseDetail["first"] {
  return {
    at: nowMs - 41 * minuteMs,
    by: "Vera",
    hours: 0,
    reason_id: 1,
    note: "Third confirmed strike in 60 days. Two of three pictures above the line, both ends agree.",
    lapses_at: nowMs + 71 * 60 * minuteMs,
  };
}

type Queue = OutputOf<Endpoints["adminReportList"]>;

/** The cases about all eight people, with more to load. */
export function caseQueue(nowMs: number, change: Partial<Queue> = {}): Queue {
  const rows = people.map((_, index) => caseRowOf(index, nowMs));
  return { rows, next: "more", waiting: 14, oldest_at: nowMs - 26 * minuteMs, ...change };
}

export const emptyQueue: Queue = { rows: [], next: null, waiting: 0, oldest_at: null };
