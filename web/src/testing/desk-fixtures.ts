import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { deskAppealAnswers } from "#testing/desk-appeal-fixtures.ts";
import {
  caseIdOf,
  caseOf,
  caseQueue,
  caseRowOf,
  deskFace,
  deskPersonOf,
  firstCase,
  firstPerson,
} from "#testing/desk-case-fixtures.ts";
import { claimOf } from "#testing/desk-makers.ts";
import { deskPictureAnswers, drawnPicture } from "#testing/desk-picture-fixtures.ts";
import { noticeDetailOf, noticeRows } from "#testing/notice-fixtures.ts";
import { textQuestions } from "#testing/desk-text-fixtures.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { ana, portraitOf } from "#testing/fixtures.ts";

/** A desk with work on every tab; decisions are tested against the real server. */

const claimMs = 582_000;

export const mia: OwnUser = {
  ...ana,
  user_id: 22,
  user_no: "10480022",
  nickname: "Mia",
  avatar: portraitOf("mia"),
  externalId: "x-mia",
  role: roles.moderator,
};

export const deskInfo: OutputOf<Endpoints["adminDesk"]> = {
  reports: 14,
  avatars: 32,
  photos: 18,
  appeals: 5,
  texts: 5,
  notices: 4,
  restricted: 1,
  decided_today: 42,
  inspection: "on",
};

/** The responses of a desk with work on every tab to a moderator who opens it at `nowMs`. */
export function deskAnswers(nowMs: number = Date.now()): Answers {
  return {
    ...deskPictureAnswers(nowMs),
    ...deskAppealAnswers(nowMs),
    adminTextList: textQuestions(nowMs),
    adminTextOperate: {},
    adminNoticeList: noticeRows(nowMs),
    adminNotice: ({ id }) =>
      noticeDetailOf(
        nowMs,
        noticeRows(nowMs).rows.find((row) => row.id === id),
      ),
    adminNoticeOperate: {},
    ...toolAnswers,
    adminDesk: deskInfo,
    adminReportList: caseQueue(nowMs),
    adminCase: ({ id }) => caseOf(Number(id) - firstCase, nowMs),
    adminClaim: ({ on }) => ({ claim: on === 1 ? claimOf(null, nowMs + claimMs) : null }),
    adminLook: ({ id }) => ({ url: drawnPicture(id.startsWith("own") ? 1 : 2) }),
    adminSampleList: { rows: ["sample-1", "sample-2", "sample-3"].map((id) => ({ id, claim: null })) },
    adminSampleLook: { url: drawnPicture(1) },
    adminSampleOperate: {},
    adminReportOperate: { state: "decided" },
    adminPerson: ({ other_id }) => deskPersonOf(other_id - firstPerson, nowMs),
    adminFind: ({ of }) =>
      of === "texts"
        ? {
            people: [],
            cases: [caseRowOf(0, nowMs)],
            excerpts: ["…pay or your friends get it tonight"],
            is_partial: true,
          }
        : { people: [deskFace(0), deskFace(5)], cases: [caseRowOf(0, nowMs)], excerpts: [], is_partial: false },
    adminReportReopen: {},
    adminDecisionList: ({ scope }) => decisionsAt(nowMs, scope === "all" ? "Vera" : "Mia"),
    adminShift: shiftAt(nowMs),
    adminShiftWrite: {},
    adminSameIp: { rows: [{ ...deskFace(5), what: "picture", is_banned: true, seen_at: nowMs, open_case: null }] },
  };
}

/** Two moderators on shift with a note each, and one stored answer. */
export function shiftAt(nowMs: number): OutputOf<Endpoints["adminShift"]> {
  return {
    people: [
      { name: "Mia", since: nowMs - 40 * 60_000, mine: true },
      { name: "Vera", since: nowMs - 190 * 60_000, mine: false },
    ],
    notes: [
      { name: "Vera", at: nowMs - 200 * 60_000, mine: false, text: "R-20420 waits for a reply. Many adverts tonight." },
      { name: "Mia", at: nowMs - 1_440 * 60_000, mine: true, text: "All restricted cases are with Ada." },
    ],
    answers: ["We read the whole chat of this call again.", "", ""],
  };
}

/** A ban that can be reopened, a warning, and a ban whose appeal was lifted. */
function decisionsAt(nowMs: number, by: string): OutputOf<Endpoints["adminDecisionList"]> {
  const row = { by, note: "", appeal: null, reopen_until: null };
  return {
    rows: [
      {
        ...row,
        id: "9",
        at: nowMs - 60_000,
        kind: "forbid",
        reason_id: 2,
        person: deskFace(4),
        case_id: caseIdOf(4),
        reopen_until: nowMs + 540_000,
      },
      { ...row, id: "8", at: nowMs - 900_000, kind: "warn", reason_id: 5, person: deskFace(5), case_id: caseIdOf(5) },
      {
        ...row,
        id: "7",
        at: nowMs - 90_000_000,
        kind: "forbid",
        reason_id: 1,
        note: "Third report in a week.",
        person: deskFace(6),
        case_id: caseIdOf(6),
        appeal: "lifted",
      },
    ],
    next: null,
  };
}

/** Every tool succeeds without changing the person. */
const toolAnswers: Answers = {
  adminQuickForbid: { state: "decided" },
  adminLabeling: { labels: [1, 2, 4] },
  adminNote: {},
  adminReset: {},
  adminImageDelete: {},
  adminImagesDelete: {},
  adminSetRole: {},
  adminSameIpOperate: {},
};
