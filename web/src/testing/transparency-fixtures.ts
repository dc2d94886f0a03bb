import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { authorityKinds, noticeKinds } from "@fava/wire/notices.ts";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { galleryNowMs } from "#testing/fixtures.ts";

type Transparency = OutputOf<Endpoints["transparency"]>;
const spanMs = 90 * 86_400_000;

/** Ninety days of a large installation. */
export const transparencyReport: Transparency = {
  from: galleryNowMs - spanMs,
  to: galleryNowMs,
  reports: reportReasonIds.map((reason_id, index) => ({
    reason_id,
    reports: 48_210 - index * 5_310,
    acted_on: 31_044 - index * 3_920,
  })),
  bans: { software: 12_480, person: 9_315, for_good: 412 },
  pictures: { approved: 104_882, rejected: 7_310 },
  appeals: { received: 1_204, upheld: 911, shortened: 173, lifted: 120 },
  review_minutes: 14,
  appeal_hours: 31,
  audit: { looked: 2_984, explicit: 1, share_max: 0.001_589 },
  recall: { share: 0.912, of: 640 },
  notices: noticeKinds.map((kind, index) => ({
    kind,
    received: 214 - index * 40,
    upheld: 150 - index * 30,
    hours: 3 + index * 9,
  })),
  authorities: authorityKinds.map((kind, index) => ({ kind, requests: index === 0 ? 37 : null })),
};

/** A new installation without reports. */
export const noTransparency: Transparency = {
  ...transparencyReport,
  reports: reportReasonIds.map((reason_id) => ({ reason_id, reports: 0, acted_on: 0 })),
  bans: { software: 0, person: 0, for_good: 0 },
  pictures: { approved: 0, rejected: 0 },
  appeals: { received: 0, upheld: 0, shortened: 0, lifted: 0 },
  review_minutes: null,
  appeal_hours: null,
  audit: { looked: 0, explicit: 0, share_max: null },
  recall: { share: null, of: 0 },
  notices: noticeKinds.map((kind) => ({ kind, received: 0, upheld: 0, hours: null })),
  authorities: authorityKinds.map((kind) => ({ kind, requests: null })),
};
