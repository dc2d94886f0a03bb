import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { formatPercent } from "#lib/format-units.ts";
import { formatNumber } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { figuresOf, noFigures } from "#testing/desk-appeal-fixtures.ts";
import { openDesk } from "#testing/desk-steps.ts";
import { Refusal } from "#testing/fixture-world.ts";
import { expectToast } from "#testing/page-steps.ts";

const path = "/reportReview/figures";
const part = () => page.getByRole("region", { name: t("desk.audit.title") });
const picture = () => part().getByRole("img", { name: t("desk.audit.picture") });
const answerButton = (text: string) => part().getByRole("button", { name: text });

test("[SAFE-603] covers a random frame, loads it on one key, and sends the answer of another key", async () => {
  const server = await openDesk(path);
  await expect.element(part()).toBeVisible();
  await expect.element(answerButton(t("desk.audit.fine"))).toBeDisabled();
  await userEvent.keyboard("1");
  expect([server.asked("adminSampleLook"), server.asked("adminSampleOperate")]).toEqual([[], []]);
  await userEvent.keyboard(" ");
  await expect.element(picture()).toBeVisible();
  expect(server.asked("adminSampleLook")).toMatchObject([{ id: "sample-1" }]);
  server.answer({ adminSampleList: { rows: [{ id: "sample-2", claim: null }] } });
  await userEvent.keyboard("2");
  await expect.poll(() => server.asked("adminSampleOperate")).toMatchObject([{ id: "sample-1", answer: "nudity" }]);
  await expect.element(part().getByText("1", { exact: true }).first()).toBeVisible();
  await expect.element(picture()).not.toBeInTheDocument();
});

test("[SAFE-605] shows the figures and the bound, or that there are too few", async () => {
  await openDesk(path);
  const { audit } = figuresOf(0);
  await expect.element(part().getByText(formatNumber(audit.looked))).toBeVisible();
  await expect.element(part().getByText(formatPercent((audit.share_max ?? 0) * 100, 2))).toBeVisible();
});

test("says that there are too few frames for a bound", async () => {
  await openDesk(path, { adminFigures: { ...noFigures, audit: { looked: 3, explicit: 0, share_max: null } } });
  await expect.element(part().getByText(t("desk.audit.few"))).toBeVisible();
});

test("skips a frame that another moderator has claimed meanwhile", async () => {
  const server = await openDesk(path, { adminSampleLook: () => new Refusal(403, { reason: "claimed" }) });
  await expect.element(part()).toBeVisible();
  const claim = { mine: false, name: "Vera", until: Date.now() + 60_000 };
  server.answer({
    adminSampleList: {
      rows: [
        { id: "sample-1", claim },
        { id: "sample-2", claim: null },
      ],
    },
  });
  await userEvent.keyboard(" ");
  await expectToast(t("desk.refused.claimed"));
  server.answer({ adminSampleLook: { url: "" } });
  await userEvent.keyboard(" ");
  await expect.poll(() => server.asked("adminSampleLook").at(-1)).toMatchObject({ id: "sample-2" });
});

test("shows nothing of the audit while no frame was ever drawn", async () => {
  await openDesk(path, { adminFigures: noFigures, adminSampleList: { rows: [] } });
  await expect.element(page.getByText(t("desk.figures.waiting")).first()).toBeVisible();
  await expect.element(part()).not.toBeInTheDocument();
});
