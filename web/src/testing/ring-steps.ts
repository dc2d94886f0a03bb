import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ringOf } from "#testing/ring-fixtures.ts";

/** The dialog of an incoming ring. */
export function ringOfName(name: string): Locator {
  return page.getByRole("alertdialog", { name: t("ring.isCalling", { name: isolate(name) }) });
}

/** A person rings; waits until the page shows it. */
export async function ringBy(server: FixtureWorld, name: string, id: string): Promise<Locator> {
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
  server.socket.social(ringOf(name, id));
  await expect.element(ringOfName(name)).toBeVisible();
  return ringOfName(name);
}
