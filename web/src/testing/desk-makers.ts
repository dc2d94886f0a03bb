import type { AppealRow } from "@fava/wire/endpoints/appeals.ts";
import type { CaseDetail, CaseRow, Claim, DeskPerson } from "@fava/wire/moderation.ts";

export const deskNowMs = Date.UTC(2026, 10, 21, 14, 12);

export function claimOf(name: string | null, untilMs = deskNowMs + 600_000): Claim {
  return name === null ? { mine: true, name: "Me", until: untilMs } : { mine: false, name, until: untilMs };
}

export function caseRow(id: string, change: Partial<CaseRow> = {}): CaseRow {
  return {
    id,
    no: `R-${id}`,
    reason_id: 5,
    rule: "report",
    harm: 2,
    opened_at: deskNowMs - 240_000,
    reporters: 2,
    person: { user_id: 1_000, user_no: "10482193", nickname: `Person ${id}`, avatar: "" },
    is_paused: false,
    due_at: null,
    state: "open",
    claim: null,
    ...change,
  };
}

export function deskPerson(change: Partial<DeskPerson> = {}): DeskPerson {
  return {
    user_id: 1_000,
    user_no: "10482193",
    nickname: "Marko",
    avatar: "",
    sex: 1,
    age: 27,
    country_name: "Serbia",
    country_flag: "/flags/RS.svg",
    language: "tr",
    role: 0,
    about: "",
    location: "",
    joined_at: deskNowMs - 4_000_000_000,
    calls_7d: 212,
    skipped_share: 0.64,
    strikes: [],
    next_hours: 24,
    ban: null,
    labels: [],
    same: [],
    earlier: [],
    images: [],
    ...change,
  };
}

export function caseDetail(row: CaseRow, change: Partial<CaseDetail> = {}): CaseDetail {
  return {
    ...row,
    call: null,
    moments: [],
    check: null,
    estimated_age: null,
    lines: [],
    message: null,
    erase_at: null,
    reports: [],
    subject: deskPerson({ nickname: row.person.nickname }),
    background: null,
    closed_because: null,
    first: null,
    ...change,
  };
}

export function appealRow(id: string, change: Partial<AppealRow> = {}): AppealRow {
  return {
    id,
    kind: "appeal",
    person: caseRow(id).person,
    hours: 168,
    reason_id: 2,
    due_at: deskNowMs + 100_000_000,
    is_late: false,
    is_own: false,
    claim: null,
    ...change,
  };
}
