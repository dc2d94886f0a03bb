import { expect, type Page, type Route } from "@playwright/test";
import { signInHere, wordsIn } from "./looks.ts";

/** A full desk with drawn people, for pictures of it; what decides anything is tested against the real server. */

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const now = Date.now();

const names = ["Marko", "Jon", "Kai", "Zola", "Omar", "Inês", "Noor", "Rosa"] as const;
const looks = ["#5b7fb5", "#8a5a44", "#4d7a52", "#b08a3e", "#7b5a8c", "#3f7f86", "#a65561", "#596275"] as const;

const person = (index: number) => ({
  user_id: 1_000 + index,
  user_no: String(10_482_193 + index * 811),
  nickname: names[index % names.length] ?? "Ana",
  avatar: `/desk-sample/${index}.svg`,
});

const claim = (mine: boolean, name: string) => ({ mine, name, until: Date.now() + 9.7 * minuteMs });
const reasons = [9, 4, 5, 10, 6, 11, 7, 5] as const;

const rows = names.map((_, index) => ({
  id: String(20_418 + index),
  no: `R-${20_418 + index}`,
  reason_id: reasons[index] ?? 7,
  rule: index === 1 ? "explicit_picture_sure" : "report",
  harm: index < 2 ? 1 : 3,
  opened_at: now - (4 + index * 3) * minuteMs,
  reporters: 1 + (index % 3),
  person: person(index),
  is_paused: index === 1,
  state: index === 3 ? "second" : "open",
  claim: index === 2 ? claim(false, "Vera") : null,
}));

function subject(index: number) {
  return {
    ...person(index),
    sex: 1,
    age: 27,
    country_name: "Serbia",
    country_flag: "/flags/RS.svg",
    language: "tr",
    role: 0,
    about: "",
    location: "",
    joined_at: now - 54 * dayMs,
    calls_7d: 212,
    skipped_share: 0.64,
    strikes: [{ at: now - 20 * dayMs, expires_at: now + 70 * dayMs, reason_id: 2 }],
    next_hours: 168,
    ban: null,
    labels: [1, 2],
    same: [
      { ...person(2), what: "address", is_banned: false, seen_at: now, open_case: "20420" },
      { ...person(1), what: "device", is_banned: true, seen_at: now - dayMs, open_case: null },
    ],
    earlier: [
      { at: now, kind: "report", reason_id: 9, by: null, note: "" },
      { at: now - 19 * dayMs, kind: "warn", reason_id: 5, by: "Vera", note: "first time" },
      { at: now - 33 * dayMs, kind: "reject", reason_id: 10, by: "Ines", note: "" },
      { at: now - 48 * dayMs, kind: "image_approve", reason_id: null, by: null, note: "" },
    ],
    images: [{ id: "i1", kind: "avatar", status: "approved" }],
  };
}

/** Cases that the moderator has claimed on this page. */
const claimed = new Set<string>();

const moments = [30, 20, 10].map((secondsAgo, index) => ({
  at: now - 4 * minuteMs - secondsAgo * 1_000,
  own: `own-${index}`,
  received: index === 0 ? null : `received-${index}`,
  explicit: [0.05, 0.62, 0.08][index] ?? 0,
  agreement: index === 0 ? null : 0.97,
}));

const said = [
  ["person", "come on dont be boring"],
  ["other", "i said no, please stop asking"],
  ["person", "i have all of this on video. add me •••"],
  ["person", "or your friends get it tonight"],
  ["other", "bye"],
] as const;

function detail(id: string) {
  const index = Math.max(
    0,
    rows.findIndex((row) => row.id === id),
  );
  const row = rows[index] ?? rows[0];
  return {
    ...row,
    claim: claimed.has(id) ? claim(true, "Mia") : (row?.claim ?? null),
    call: { id: "call", at: now - 6 * minuteMs, live: index === 0 },
    moments,
    check: { explicit: 0.08, model: "three", shadow: false },
    lines: said.map(([from, text], line) => ({ at: now - 5 * minuteMs + line * 9_000, from, text })),
    message: null,
    erase_at: now + 30 * dayMs,
    reports: [
      { at: now - 4 * minuteMs, reason_id: 9, reliability: 0.83 },
      { at: now - 6 * minuteMs, reason_id: 5, reliability: null },
    ],
    subject: subject(index),
    closed_because: null,
    first:
      index === 3
        ? {
            at: now - 41 * minuteMs,
            by: "Vera",
            hours: 0,
            reason_id: 1,
            note: "Third confirmed strike in 60 days. Two of three pictures above the line, both ends agree.",
            lapses_at: now + 71 * 60 * minuteMs,
          }
        : null,
  };
}

const whys = ["random", "contact", "random", "unsure", "reported", "random", "unsure", "like_removed", "new"] as const;
const pictures = Array.from({ length: 18 }, (_, index) => ({
  id: `picture-${index}`,
  ...person(index),
  url: `/desk-sample/${index}.svg`,
  thumb: `/desk-sample/${index}.svg`,
  status: "pending",
  reason_id: null,
  at: now - index * minuteMs,
  joined_at: now - 40 * dayMs,
  why: whys[index % whys.length],
  explicit: index % whys.length === 3 ? 0.52 : null,
  earlier: { approved: 2, rejected: 0 },
  claim: index === 8 ? claim(false, "Vera") : null,
}));

const appealRow = (index: number, kind: "appeal" | "second") => ({
  // A second opinion has the id of its case.
  id: kind === "second" ? String(20_418 + index) : String(index),
  kind,
  person: person(index),
  hours: kind === "second" ? 0 : 168,
  reason_id: kind === "second" ? 1 : 2,
  due_at: now + 71 * 60 * minuteMs,
  is_late: false,
  is_own: index === 2,
  claim: null,
});

const appeal = {
  appeal: {
    id: "6",
    state: "received",
    ground: 2,
    text: "We were joking. We play a word game and “clown” is what the loser is called. Please look at the whole chat, not three lines.",
    at: now - dayMs,
    answer_by: now + 2 * dayMs,
    decided_at: null,
    answer: "",
    until: null,
    beans_returned: 0,
  },
  language: "ar",
  ban: {
    at: now - dayMs,
    until: now + 6 * dayMs,
    reason_id: 2,
    by: "person",
    is_provisional: false,
    rule: null,
    call_at: now - dayMs,
    reports: 1,
    strike: 2,
    strike_until: now + 89 * dayMs,
  },
  decided_by: "Vera",
  cut_beans: 3_200,
  case: { ...detail("20424"), moments: [] },
  person: person(6),
  closed_because: null,
};

const reviewMinutes = [5.2, 4.9, 5.4, 4.6, 4.1, 4.8, 6.2, 5.1, 4.4, 4, 3.9, 4.3, 3.8, 3.7];
const figures = {
  waiting: 69,
  oldest_at: now - 26 * minuteMs,
  review_minutes: 3.7,
  review_minutes_before: 5.2,
  overturned: { share: 0.041, of: 390 },
  machine_right: { share: 0.88, of: 1_649 },
  waiting_over_time: [22, 15, 14, 27, 41, 52, 39, 42, 71, 55, 44, 52, 61, 69].map((waiting, index) => ({
    at: now - (13 - index) * dayMs,
    waiting,
  })),
  review_over_time: reviewMinutes.map((minutes, index) => ({ at: now - (13 - index) * dayMs, minutes })),
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

const desk = {
  reports: 14,
  avatars: 32,
  photos: 18,
  appeals: 5,
  restricted: 1,
  decided_today: 42,
  inspection: "on",
};

const answers: Readonly<Record<string, (fields: string) => unknown>> = {
  "/admin/desk": () => desk,
  "/admin/user/report/list": () => ({ rows, next: null, waiting: 14, oldest_at: now - 26 * minuteMs }),
  "/admin/report/info": (fields) => detail(fieldOf(fields, "id")),
  "/admin/claim": (fields) => {
    const [, id = ""] = fieldOf(fields, "item").split(":");
    if (fieldOf(fields, "on") === "1") claimed.add(id);
    return { claim: fieldOf(fields, "on") === "1" ? claim(true, "Mia") : null };
  },
  "/admin/look": () => ({ url: "/desk-sample/1.svg" }),
  "/admin/report/operate": () => ({ state: "decided" }),
  "/admin/user/avatar/list": () => ({ rows: pictures, next: null, waiting: 32, oldest_at: now - 9 * minuteMs }),
  "/admin/user/image/list": () => ({ rows: [], next: null, waiting: 0, oldest_at: null }),
  "/admin/avatar/operate": () => ({}),
  "/admin/appeal/list": () => ({
    seconds: [appealRow(3, "second"), appealRow(2, "second")],
    appeals: [appealRow(6, "appeal"), appealRow(4, "appeal"), appealRow(7, "appeal")],
  }),
  "/admin/appeal/info": () => appeal,
  "/admin/figures": () => figures,
  "/admin/find": () => ({ people: [person(0), person(5)], cases: [rows[0]] }),
};

/** Signs the sandbox's moderator in and lets drawn people wait on every tab of the desk. */
export async function openSampleDesk(page: Page, path: string, language = "en"): Promise<void> {
  claimed.clear();
  await signInHere(page, "mia");
  await expect(page.getByRole("button", { name: wordsIn(language, "home.account") })).toBeVisible();
  await page.route("**/admin/**", answerCall);
  await page.route("**/desk-sample/*.svg", drawPerson);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
}

async function answerCall(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const answer = answers[pathname];
  if (!answer) throw new Error(`no answer for ${pathname}`);
  await route.fulfill({ json: { code: 200, data: answer(route.request().postData() ?? "") } });
}

/** The value of a field of a multipart form. */
function fieldOf(form: string, name: string): string {
  return new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(form)?.[1] ?? "";
}

async function drawPerson(route: Route): Promise<void> {
  const index = Number(/(\d+)\.svg/.exec(route.request().url())?.[1] ?? 0);
  const colour = looks[index % looks.length] ?? "#5b7fb5";
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 40 40"><rect width="40" height="40" fill="${colour}"/><circle cx="20" cy="16" r="8" fill="#e7c4a3"/><path d="M4 40c0-11 7-15 16-15s16 4 16 15z" fill="#2d342e"/></svg>`;
  await route.fulfill({ contentType: "image/svg+xml", body: drawn });
}
