import { expect } from "@playwright/test";
import type { CaseDetail, CaseLine } from "@fava/wire/moderation.ts";
import { caseOf, caseRowOf, deskPersonOf, emptyQueue, firstCase } from "@fava/web/testing/desk-case-fixtures.ts";
import { deskInfo } from "@fava/web/testing/desk-fixtures.ts";
import { ada } from "@fava/web/testing/admin-fixtures.ts";
import { ana, galleryNowMs, portraitOf } from "@fava/web/testing/fixtures.ts";
import {
  atDesk,
  closeDialog,
  fault,
  never,
  openByKey,
  openCaseOf,
  openFirstCase,
  untilLoading,
  untilToastGone,
} from "../desk-steps.ts";
import { holdTimers } from "../held-timers.ts";
import { scene } from "../scene.ts";

const marko = { name: "Marko" };

/** Cases that the moderator cannot decide, by their place in the queue. */
const closedBecause: Readonly<Record<number, CaseDetail["closed_because"]>> = {
  4: "own",
  5: "moderator",
  6: "decided",
};

/** About a message: no call, no frames, and a person with little data. */
const messageCase = caseOf(0, galleryNowMs, {
  call: null,
  moments: [],
  check: null,
  estimated_age: null,
  lines: [],
  message: { at: galleryNowMs - 3_600_000, text: "send me the money to ••• or everybody sees it", cover: "threat" },
  reports: [
    {
      at: galleryNowMs - 3_500_000,
      reason_id: 9,
      judged: 0,
      right: 0,
      note: "He has a video of me, and asks for money.",
    },
  ],
  background: {
    photos: [portraitOf("desk-photo-1"), portraitOf("desk-photo-2")],
    calls: [
      { at: galleryNowMs - 4_000_000, seconds: 754, ended_by: "other" },
      { at: galleryNowMs - 5_000_000, seconds: 4, ended_by: "person" },
      { at: galleryNowMs - 90_000_000, seconds: 31, ended_by: "nobody" },
    ],
    reports: [
      { at: galleryNowMs - 400_000_000, reason_id: 5, operation: 3 },
      { at: galleryNowMs - 500_000_000, reason_id: 6, operation: null },
    ],
  },
  subject: deskPersonOf(0, galleryNowMs, {
    age: null,
    sex: 0,
    about: "",
    location: "",
    skipped_share: null,
    strikes: [],
    labels: [],
    same: [],
    earlier: [],
    images: [],
    ban: { until: galleryNowMs + 86_400_000, reason_id: 6, is_provisional: true },
  }),
});

const said: readonly Omit<CaseLine, "at">[] = [
  {
    from: "person",
    text: "call ••• or mail •••",
    withheld: {
      how: "hidden",
      original: "call +90 532 123 45 67 or mail marko@example.org",
      spans: [
        { start: 5, end: 22, finding: "phone" },
        { start: 31, end: 48, finding: "email" },
      ],
    },
  },
  {
    from: "person",
    text: "you are an idiot, look at •••",
    withheld: {
      how: "covered",
      kind: "insult",
      original: "you are an idiot, look at example.org/marko",
      spans: [
        { start: 0, end: 16, finding: "abuse" },
        { start: 26, end: 43, finding: "link" },
      ],
    },
    reported: true,
  },
  { from: "other", text: "stop it" },
  { from: "person", text: "", withheld: { how: "refused", original: "a line about somebody who is fifteen" } },
  {
    from: "person",
    text: "لا أريد أن أراك هنا",
    withheld: {
      how: "covered",
      kind: "hate",
      original: "لا أريد أن أراك هنا",
      spans: [{ start: 0, end: 19, finding: "abuse" }],
    },
  },
  { from: "other", text: "bye" },
];

const withheldCase = caseOf(0, galleryNowMs, {
  moments: [],
  check: null,
  estimated_age: 14,
  reports: [],
  lines: said.map((line, index) => ({ ...line, at: galleryNowMs - 300_000 + index * 9_000 })),
});

const noWork = atDesk("/reportReview", { adminReportList: emptyQueue });

export const deskScenes = [
  scene("the queue of the desk and a case", atDesk("/reportReview"), async ({ page, said, show }) => {
    const inView = [page.getByRole("banner")];
    await page.getByRole("navigation").getByText("Marko").first().waitFor();
    await show("desk-queue", { inView });
    await openFirstCase(page, said);
    await show("desk-case", { inView });
    await page.keyboard.press("Enter");
    await expect(page.getByText(said("desk.claim.mine"))).toBeVisible();
    await page.keyboard.press("Space");
    await expect(page.getByRole("region", { name: said("desk.evidence") }).getByRole("img")).toHaveCount(2);
    await page.keyboard.press("t");
    await show("desk-case-shown");
    // The first moment, of which one side sent no frame.
    await page
      .getByRole("group", { name: said("desk.moments") })
      .getByRole("button")
      .first()
      .click();
    await expect(page.getByText(said("desk.evidence.none"))).toBeVisible();
    await show("desk-case-one-end");
  }),

  scene(
    "cases that the moderator cannot decide",
    atDesk("/reportReview", {
      adminCase: ({ id }) => {
        const index = Number(id) - firstCase;
        return caseOf(index, galleryNowMs, { closed_because: closedBecause[index] ?? null });
      },
    }),
    async ({ page, said, show }) => {
      await openCaseOf(page, "Kai");
      await expect(page.getByText(said("desk.closed.lost", { name: "Vera" }))).toBeVisible();
      await show("desk-case-with-another");
      await openCaseOf(page, "Zola");
      await expect(page.getByText(said("desk.closed.second"))).toBeVisible();
      await show("desk-case-second");
      await openCaseOf(page, "Omar");
      await expect(page.getByText(said("desk.closed.own"))).toBeVisible();
      await show("desk-case-own");
      await openCaseOf(page, "Inês");
      await expect(page.getByText(said("desk.closed.moderator"))).toBeVisible();
      await openCaseOf(page, "Noor");
      await expect(page.getByText(said("desk.closed.decided"))).toBeVisible();
      await show("desk-case-decided");
    },
  ),

  scene(
    "lines of a chat that were withheld or reported",
    atDesk("/reportReview", { adminCase: withheldCase }),
    async ({ page, said: text, show }) => {
      await openFirstCase(page, text);
      await expect(page.getByText(text("evidence.reported"))).toBeVisible();
      await expect(page.getByText(text("evidence.refused"))).toBeVisible();
      await expect(page.getByText(text("desk.case.looksMinor", { age: "14" }))).toBeVisible();
      await show("desk-case-withheld");
    },
  ),

  scene(
    "cases without frames",
    atDesk("/reportReview", {
      adminCase: ({ id }) => {
        const index = Number(id) - firstCase;
        if (index === 0) return messageCase;
        return caseOf(index, galleryNowMs, { moments: [], lines: [], erase_at: null });
      },
    }),
    async ({ page, said, show }) => {
      await openFirstCase(page, said);
      await expect(page.getByText(said("desk.lastCalls"))).toBeVisible();
      await show("desk-case-message");
      await page.keyboard.press("Space");
      await show("desk-case-background");
      await openCaseOf(page, "Jon");
      await expect(page.getByText(said("desk.evidence.erased"))).toBeVisible();
      await show("desk-case-erased");
    },
  ),

  scene("keys, labels and notes at the desk, and the ban dialog", atDesk("/reportReview"), async (stage) => {
    const { page, said, show } = stage;
    await openFirstCase(page, said);
    await openByKey(page, "b", said("desk.forbid.title", marko));
    await show("desk-forbid-empty");
    await page.keyboard.press("2");
    // The text that Marko will read, in his language.
    await expect(page.getByText("görüntülü sohbeti").first()).toBeVisible();
    await show("desk-forbid");
    await page.keyboard.press("4");
    await expect(page.getByRole("button", { name: said("desk.forbid.askSecond") })).toBeEnabled();
    await show("desk-forbid-for-good");
    await closeDialog(page);
    await openByKey(page, "?", said("desk.keys"));
    await show("desk-keys");
    await closeDialog(page);
    await openByKey(page, "l", said("desk.labels.title", marko));
    await show("desk-label");
    await closeDialog(page);
    await openByKey(page, "n", said("desk.note.title", marko));
    await page.keyboard.type("Was warned about this in October.");
    await show("desk-note");
  }),

  scene("a decision that can be undone, and the desk offline", atDesk("/reportReview"), async (stage) => {
    const { page, said, show, world } = stage;
    world.expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await openFirstCase(page, said);
    await holdTimers(page);
    await page.keyboard.press("Enter");
    await page.keyboard.press("w");
    await expect(page.getByRole("button", { name: said("desk.undo") })).toBeVisible();
    await expect(page.getByRole("complementary", { name: "Jon" })).toBeVisible();
    await show("desk-undo");
    await page.context().setOffline(true);
    await expect(page.getByText(said("desk.closed.offline"))).toBeVisible();
    await show("desk-offline");
    await page.context().setOffline(false);
  }),

  scene("the queue of the desk, empty, loading and failed", noWork, async (stage) => {
    const { page, said, show, world } = stage;
    await expect(page.getByText(said("desk.empty"))).toBeVisible();
    await show("desk-queue-empty");
    world.server.answer({ adminReportList: fault });
    await page.reload();
    await expect(page.getByText(said("desk.failed"))).toBeVisible();
    await untilToastGone(page);
    await show("desk-queue-failed");
    world.server.answer({ adminReportList: never });
    await page.reload();
    await expect(page.getByRole("navigation", { name: said("desk.tab.reports") })).toHaveAttribute("aria-busy", "true");
    await untilLoading(page);
    await show("desk-queue-loading");
  }),

  scene("a case, loading and failed", atDesk("/reportReview", { adminCase: never }), async (stage) => {
    const { page, said, show, world } = stage;
    const row = page.getByRole("navigation").getByRole("button", { name: "Marko" });
    await row.click();
    await expect(page.locator("section[aria-busy], section [aria-busy=true]")).toBeVisible();
    await untilLoading(page);
    await show("desk-case-loading");
    world.server.answer({ adminCase: fault });
    await page.reload();
    await row.click();
    await expect(page.getByText(said("desk.case.failed"))).toBeVisible();
    await untilToastGone(page);
    await show("desk-case-failed");
  }),

  scene("the restricted queue of administrators", { ...atDesk("/reportReview"), as: ada }, async (stage) => {
    const { page, said, show, world } = stage;
    const restricted = { ...caseRowOf(7, galleryNowMs), reason_id: 8, harm: 1 } as const;
    world.server.answer({
      adminReportList: { rows: [restricted], next: null, waiting: 1, oldest_at: restricted.opened_at },
      adminCase: caseOf(7, galleryNowMs, { ...restricted, moments: [], lines: [] }),
    });
    await page.getByRole("radio", { name: said("desk.box.restrictedCount", { count: "1" }) }).check();
    await openCaseOf(page, "Rosa");
    await expect(page.getByRole("heading", { level: 2, name: said("reason.report.8") })).toBeVisible();
    await show("desk-restricted");
  }),

  scene(
    "the desk's notes on software and breaks",
    // The clock of this page stays changed.
    { ...atDesk("/reportReview", { adminDesk: { ...deskInfo, inspection: "shadow" } }), isUsedUp: true },
    async ({ page, said, show, world }) => {
      await expect(page.getByText(said("desk.inspection.shadow"))).toBeVisible();
      await page.clock.setFixedTime(galleryNowMs + 91 * 60_000);
      // Away and back again, which is no break.
      await page.getByRole("link", { name: said("page.homeLink") }).click();
      await expect(page.getByRole("button", { name: said("home.start") })).toBeVisible();
      await page.goBack();
      await expect(page.getByText(said("desk.breakNow"))).toBeVisible();
      await show("desk-shadow-and-break");
      for (const inspection of ["down", "off"] as const) {
        world.server.answer({ adminDesk: { ...deskInfo, inspection } });
        await page.reload();
        await expect(page.getByText(said(`desk.inspection.${inspection}`))).toBeVisible();
      }
      await show("desk-unchecked");
    },
  ),

  scene("the desk without its role", { as: ana, path: "/reportReview" }, async ({ page, show }) => {
    await expect(page).toHaveURL(/\/404$/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await show("desk-denied");
  }),

  scene("the desk for a visitor", { path: "/reportReview" }, async ({ page, said, show }) => {
    await expect(page.getByRole("dialog", { name: said("login.tagline") })).toBeVisible();
    await show("desk-visitor");
  }),
];
