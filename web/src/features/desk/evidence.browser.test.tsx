import { expect, test } from "vitest";
import type { CaseLine } from "@fava/wire/moderation.ts";
import { page, userEvent } from "vitest/browser";
import { formatPercent } from "#lib/format-units.ts";
import { formatClock, formatNumber, isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { caseOf } from "#testing/desk-case-fixtures.ts";
import { openDesk, openFirstCase } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { heldAnswer } from "#testing/held-answer.ts";

const evidence = () => page.getByRole("region", { name: t("desk.evidence") });
const drawn = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";
const pictures = () => evidence().getByRole("img").elements().length;

test("loads nothing of a covered frame, requests each view separately, and covers it with the next moment", async () => {
  const server = await openDesk("/reportReview");
  const looked = () => server.asked("adminLook").map(({ id }) => id);
  await openFirstCase();
  await expect.element(evidence().getByRole("button").first()).toBeVisible();
  // A label as large as its text, however large the frame below.
  expect(evidence().getByRole("button").first().element().getBoundingClientRect().height).toBeLessThan(60);
  expect(pictures()).toBe(0);
  expect(looked()).toEqual([]);
  await userEvent.keyboard(" ");
  await expect.poll(pictures).toBe(2);
  expect(looked()).toEqual(["own-2", "received-2"]);
  // Away and back again: covered, and requested again.
  const moments = page.getByRole("group", { name: t("desk.moments") }).getByRole("button");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  expect(pictures()).toBe(0);
  expect(looked()).toEqual(["own-2", "received-2"]);
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  await evidence().getByRole("button").first().click();
  await expect.poll(pictures).toBe(1);
  expect(looked()).toEqual(["own-2", "received-2", "own-1"]);
});

test("enlarges both frames by Z, scrolls them together, and gives arrow keys to the focused one", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  await userEvent.keyboard(" ");
  await expect.poll(pictures).toBe(2);
  const zoom = (times: number) =>
    page.getByRole("button", { name: t("desk.zoom", { share: formatPercent(times * 100) }) });
  await expect.element(zoom(1)).toBeVisible();
  await userEvent.keyboard("zz");
  await expect.element(zoom(3)).toBeVisible();
  const parts = evidence().getByRole("group");
  const [own, seen] = parts.elements() as [HTMLElement, HTMLElement];
  own.scrollTo(0, 0);
  await expect.poll(() => [seen.scrollLeft, seen.scrollTop]).toEqual([0, 0]);
  own.focus();
  const moments = page.getByRole("group", { name: t("desk.moments") }).getByRole("button");
  await userEvent.keyboard("{ArrowRight}");
  await expect.poll(() => own.scrollLeft).toBeGreaterThan(0);
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  own.blur();
  await userEvent.keyboard("{Home}");
  await expect.element(moments.nth(0)).toHaveAttribute("aria-pressed", "true");
  expect(pictures()).toBe(0);
  await userEvent.keyboard("{End}");
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("zz");
  await expect.element(zoom(1)).toBeVisible();
});

test("uncovers nothing by a response that comes after another moment was chosen", async () => {
  const looked = heldAnswer<{ url: string }>();
  const server = await openDesk("/reportReview", { adminLook: () => looked.answer });
  await openFirstCase();
  await userEvent.keyboard(" ");
  await expect.poll(() => server.asked("adminLook")).toHaveLength(2);
  const moments = page.getByRole("group", { name: t("desk.moments") }).getByRole("button");
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(moments.nth(1)).toHaveAttribute("aria-pressed", "true");
  looked.give({ url: drawn });
  // The next request is answered after those.
  await evidence().getByRole("button").first().click();
  await expect.poll(pictures).toBe(1);
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(moments.nth(2)).toHaveAttribute("aria-pressed", "true");
  expect(pictures()).toBe(0);
});

test("shows nothing after a failed request, which can be repeated", async () => {
  const server = await openDesk("/reportReview", { adminLook: new Refusal(403, { reason: "role" }) });
  await openFirstCase();
  await userEvent.keyboard(" ");
  await expect.element(page.getByText(t("desk.refused.role")).first()).toBeVisible();
  await expect.element(evidence().getByText(t("desk.evidence.again")).first()).toBeVisible();
  expect(pictures()).toBe(0);
  server.answer({ adminLook: { url: drawn } });
  await userEvent.keyboard(" ");
  await expect.poll(pictures).toBe(2);
});

test("covers profile images of a case without a call at first, beside last calls and earlier reports", async () => {
  const nowMs = Date.now();
  await openDesk("/reportReview", {
    adminCase: caseOf(0, nowMs, {
      call: null,
      moments: [],
      lines: [],
      check: null,
      background: {
        photos: [drawn],
        calls: [
          { at: nowMs - 3_600_000, seconds: 754, ended_by: "other" },
          { at: nowMs - 7_200_000, seconds: 4, ended_by: "person" },
          { at: nowMs - 9_000_000, seconds: null, ended_by: null },
        ],
        reports: [{ at: nowMs - 90_000_000, reason_id: 6, operation: 2 }],
      },
    }),
  });
  await openFirstCase();
  await expect.element(page.getByText(t("desk.evidence.noPictures"))).not.toBeInTheDocument();
  const call = { length: formatClock(754) };
  await expect.element(page.getByText(t("desk.call.other", call))).toBeVisible();
  await expect
    .element(page.getByText(t("desk.call.person", { length: formatClock(4), name: isolate("Marko") })))
    .toBeVisible();
  await expect.element(page.getByText(t("desk.case.live"))).toBeVisible();
  await expect.element(page.getByText(`${t("reason.report.6")} · ${t("desk.event.reject")}`)).toBeVisible();
  const covered = () => document.querySelectorAll("[data-covered] img").length;
  expect(covered()).toBe(2);
  await userEvent.keyboard(" ");
  await expect.poll(covered).toBe(0);
});

test("shows what a reporter wrote, with the reason of the report", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  await expect.element(page.getByRole("heading", { name: t("desk.words") })).toBeVisible();
  await expect.element(page.getByText("He says that he filmed me and wants money.")).toBeVisible();
  const record = t("desk.reporters.right", { right: formatNumber(5), judged: formatNumber(6) });
  await expect.element(page.getByText(record).first()).toBeVisible();
});

const chat = () => page.getByRole("listitem").filter({ has: page.getByText("Marko", { exact: true }) });
const lineWith = (text: string) => chat().filter({ hasText: text });

test("shows the original of a hidden line, with the hidden range marked and named", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  const line = lineWith("marko_91");
  await expect.element(line.getByText("marko_91 on telegram")).toBeVisible();
  expect(line.element().querySelector("mark")?.textContent).toBe("marko_91 on telegram");
  await expect.element(line.getByText(t("evidence.hidden.handle"))).toBeVisible();
  await expect.element(line.getByRole("time")).toBeVisible();
});

test("names the kind of a cover, and highlights the reported line", async () => {
  await openDesk("/reportReview");
  await openFirstCase();
  const line = lineWith("your friends get it tonight");
  await expect.element(line.getByText(t("evidence.covered.threat"))).toBeVisible();
  await expect.element(line.getByText(t("evidence.reported"))).toBeVisible();
  const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
  expect(colourOf(line.element())).not.toBe(colourOf(lineWith("where are you from").element()));
  expect(page.getByText(t("evidence.reported")).elements()).toHaveLength(1);
});

test("shows a reported line and withheld lines at first, however many lines follow them", async () => {
  const nowMs = Date.now();
  const lines: CaseLine[] = Array.from({ length: 200 }, (_, index) => ({
    at: nowMs - 200_000 + index * 1_000,
    from: "person",
    text: `harmless ${index}`,
  }));
  lines[3] = { at: nowMs - 197_000, from: "person", text: "the reported one", reported: true };
  const original = "about a minor";
  lines[5] = { at: nowMs - 195_000, from: "person", text: "", withheld: { how: "refused", original } };
  await openDesk("/reportReview", { adminCase: caseOf(0, nowMs, { lines }) });
  await openFirstCase();
  await expect.element(page.getByText("the reported one")).toBeVisible();
  await expect.element(lineWith(original).getByText(t("evidence.refused"))).toBeVisible();
  await expect.element(page.getByText("harmless 199")).toBeVisible();
  await expect.element(page.getByText("harmless 100")).not.toBeInTheDocument();
  await page.getByRole("button", { name: t("desk.chat.all", { count: 200 }) }).click();
  await expect.element(page.getByText("harmless 100")).toBeVisible();
});

test("says that a reported message was delivered under a cover", async () => {
  const nowMs = Date.now();
  const message = { at: nowMs, text: "rude words", cover: "insult" as const };
  await openDesk("/reportReview", { adminCase: caseOf(0, nowMs, { message, lines: [] }) });
  await openFirstCase();
  await expect.element(page.getByText(t("evidence.covered.insult"))).toBeVisible();
});
