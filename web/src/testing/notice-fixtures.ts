import type { OutputOf } from "@fava/wire/endpoint.ts";
import type {
  AuthorityRow,
  NoticeDetail,
  NoticeRow,
  adminNoticeList,
  noticeStatus,
} from "@fava/wire/endpoints/notices.ts";
import { noticeDueMs, minorNoticeDueMs } from "@fava/wire/limits.ts";
import type { NoticeKind } from "@fava/wire/notices.ts";
import { deskFace } from "#testing/desk-case-fixtures.ts";
import { drawnPicture } from "#testing/desk-picture-fixtures.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const noticeToken = `7001.${"n".repeat(43)}`;

type Status = OutputOf<typeof noticeStatus>;

/** A notice that was just received, about a picture that it names. */
export function noticeStatusOf(nowMs: number, change: Partial<Status> = {}): Status {
  return {
    no: "N-7001",
    kind: "intimate",
    state: "received",
    at: nowMs,
    due_at: nowMs + noticeDueMs,
    is_hidden: true,
    question: "",
    decided_at: null,
    reason: "",
    ...change,
  };
}

function noticeRowOf(index: number, nowMs: number, change: Partial<NoticeRow> & { kind: NoticeKind }): NoticeRow {
  const at = nowMs - (index + 1) * 3 * hourMs;
  return {
    id: String(7_001 + index),
    no: `N-${7_001 + index}`,
    state: "received",
    at,
    due_at: at + (change.kind === "minor" ? minorNoticeDueMs : noticeDueMs),
    person: deskFace(index),
    claim: null,
    ...change,
  };
}

/** An urgent notice, one that Vera has claimed, one without an account, and one that waits for its sender. */
export function noticeRows(nowMs: number): OutputOf<typeof adminNoticeList> {
  const rows = [
    noticeRowOf(0, nowMs, { kind: "intimate", due_at: nowMs + 9 * hourMs }),
    noticeRowOf(1, nowMs, { kind: "illegal", claim: { mine: false, name: "Vera", until: nowMs + 0.1 * hourMs } }),
    noticeRowOf(2, nowMs, { kind: "rights", person: null }),
    noticeRowOf(3, nowMs, { kind: "intimate", state: "asked" }),
  ];
  return { rows, waiting: rows.length };
}

/** The first of them with its words, the named picture and two likely copies. */
export function noticeDetailOf(nowMs: number, change: Partial<NoticeDetail> = {}): NoticeDetail {
  const [row = noticeRowOf(0, nowMs, { kind: "intimate" })] = noticeRows(nowMs).rows;
  return {
    ...row,
    written: {
      text: "This picture shows me at the beach. I never agreed that it is shown here.\nPlease remove it.",
      account: row.person?.user_no ?? "",
      name: "Marko",
      seen: "Saturday evening",
      picture: `https://fava.test/media/images/${"5".repeat(64)}.webp`,
      signature: "Ana Example",
      email: "ana@example.com",
      answers: [{ question: "Which of the two pictures?", text: "The one with the red chair." }],
    },
    question: "",
    pictures: [
      { id: "named", url: drawnPicture(0), person: deskFace(0), is_named: true, is_hidden: true, distance: null },
      { id: "copy-1", url: drawnPicture(3), person: deskFace(3), is_named: false, is_hidden: false, distance: 2 },
      { id: "copy-2", url: drawnPicture(4), person: deskFace(4), is_named: false, is_hidden: false, distance: 8 },
    ],
    closed_because: null,
    ...change,
  };
}

/** An open request with a hold, one whose disclosure waits for a second administrator, and a closed one. */
export function authorityRows(nowMs: number): AuthorityRow[] {
  const open = { outcome: null, closed_at: null, proposed: null, hold_until: null };
  return [
    {
      ...open,
      id: "103",
      authority: "Example Police, Cybercrime Unit",
      country: "DE",
      kind: "preservation",
      basis: "Example Act, section 12; file 7 of 2026",
      received_at: nowMs - 2 * dayMs,
      due_at: nowMs + 5 * dayMs,
      person: deskFace(0),
      hold_until: nowMs + 88 * dayMs,
    },
    {
      ...open,
      id: "102",
      authority: "Example Court",
      country: "TR",
      kind: "information",
      basis: "Order 41",
      received_at: nowMs - 4 * dayMs,
      due_at: null,
      person: deskFace(1),
      proposed: { mine: false, name: "Vera" },
    },
    {
      ...open,
      id: "101",
      authority: "Example Regulator",
      country: "BR",
      kind: "removal",
      basis: "Example Code, article 19",
      received_at: nowMs - 30 * dayMs,
      due_at: nowMs - 20 * dayMs,
      person: null,
      outcome: "refused",
      closed_at: nowMs - 21 * dayMs,
    },
  ];
}
