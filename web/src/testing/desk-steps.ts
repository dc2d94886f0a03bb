import { expect } from "vitest";
import { page, userEvent } from "vitest/browser";
import { deskAnswers, mia } from "#testing/desk-fixtures.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { t } from "#lib/i18n.ts";
import { openPage } from "#testing/open-page.tsx";

/** Opens the desk as a moderator, with work on every tab. */
export async function openDesk(path: string, answers: Answers = {}): Promise<FixtureWorld> {
  const server = await openPage({ as: mia, path, answers: { ...deskAnswers(), ...answers } });
  await expect.element(page.getByRole("banner")).toBeVisible();
  return server;
}

/** The first press of J opens the first case, which is about Marko. */
export async function openFirstCase(): Promise<void> {
  await expect.element(page.getByRole("navigation").getByText("Marko").first()).toBeVisible();
  await userEvent.keyboard("j");
  await expect.element(page.getByRole("heading", { level: 2, name: t("reason.report.9") })).toBeVisible();
}
