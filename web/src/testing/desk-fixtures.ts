import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { deskAppealAnswers } from "#testing/desk-appeal-fixtures.ts";
import {
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
    adminFind: { people: [deskFace(0), deskFace(5)], cases: [caseRowOf(0, nowMs)] },
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
