import { expect, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { reportNoteLengthMax } from "@fava/wire/limits.ts";
import { reportReasonIds } from "@fava/wire/reasons.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, openCall } from "#testing/call-page.ts";
import { ana, otherUserOf, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast, startOf } from "#testing/page-steps.ts";
import { nobodyAnswers, recentRow, relationAnswers } from "#testing/people-fixtures.ts";
import { chooseAboutRecent, openPeoplePanel, profileOf, rowOf } from "#testing/people-steps.ts";

const sheet = () => page.getByRole("dialog", { name: t("report.title") });
const send = (place: Locator) => place.getByRole("button", { name: t("report.send") });

test("requires a reason in a report from the call, thanks for it, and the call continues", async () => {
  const { server, roomId } = await openCall({ answers: { feedback: {} } });
  const { user_id: userId } = personOf("Bo");
  await page.getByRole("button", { name: t("people.reportName", { name: "Bo" }) }).click();
  await expect.element(sheet()).toBeVisible();
  expect(sheet().getByRole("radio").elements()).toHaveLength(reportReasonIds.length);
  // Disabled, but focusable, so that it can say what is missing.
  const button = send(sheet()).element() as HTMLElement;
  expect(button).toHaveAttribute("aria-disabled", "true");
  button.focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(sheet().getByText(t("report.choose"))).toBeVisible();
  expect(server.asked("feedback")).toEqual([]);
  await sheet()
    .getByRole("radio", { name: startOf("reason.report.11") })
    .click();
  await send(sheet()).click();
  await expectToast(t("report.sent"));
  await expect.element(sheet()).not.toBeInTheDocument();
  expect(server.asked("feedback")).toMatchObject([{ id: 11, other_id: userId, call_id: `match-${roomId}` }]);
  await expectCallState("in-call");
  const stopped = server.asked("matchStop").length + server.asked("block").length;
  expect(stopped).toBe(0);
});

test("names the call in a report from the recent people, and offers to block in one from a profile", async () => {
  const bo = personOf("Bo Told");
  const server = await openPage({
    as: ana,
    answers: {
      ...nobodyAnswers,
      ...relationAnswers(),
      recentList: { rows: [recentRow(bo, Date.now(), { call_id: "the-call" })], next: null },
      userInfo: otherUserOf("Bo Told"),
      feedback: {},
    },
  });
  const panel = await openPeoplePanel();
  await chooseAboutRecent(panel, "Bo Told", "people.reportName");
  await expect.element(sheet().getByText(t("report.sends"))).toBeVisible();
  await sheet()
    .getByRole("radio", { name: startOf("reason.report.4") })
    .click();
  await sheet()
    .getByRole("textbox", { name: t("report.words") })
    .fill(" He shouted ");
  await expect
    .element(sheet().getByText(t("appeal.count", { count: "12", max: String(reportNoteLengthMax) })))
    .toBeVisible();
  await send(sheet()).click();
  await expectToast(t("report.sent"));
  const sent = { id: 4, other_id: bo.user_id, call_id: "the-call", note: "He shouted" };
  expect(server.asked("feedback")).toMatchObject([sent]);
  await expect.element(sheet()).not.toBeInTheDocument();

  await rowOf(panel, "Bo Told")
    .getByRole("button", { name: profileOf("Bo Told") })
    .click();
  const profile = page.getByRole("dialog", { name: "Bo Told" });
  await profile.getByRole("button", { name: startOf("other.report") }).click();
  await sheet()
    .getByRole("radio", { name: startOf("reason.report.7") })
    .click();
  await sheet().getByRole("switch").click();
  await send(sheet()).click();
  await expectToast(t("people.blockedToast", { name: "Bo Told" }));
  const late = server.asked("feedback").at(-1);
  expect(late).toMatchObject({ id: 7, other_id: bo.user_id });
  expect(late).not.toHaveProperty("call_id");
  expect(server.asked("block")).toMatchObject([{ other_id: bo.user_id }]);
  await expect.element(profile).not.toBeInTheDocument();
  await expect.element(rowOf(panel, "Bo Told")).not.toBeInTheDocument();
});
