import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const made: AudioContext[] = [];
const picture = () => document.querySelector(`section[aria-label="${t("home.camera")}"] video`);

afterEach(() => void made.splice(0));

/** What the browser reports when another tab comes to the front, and when this one returns. */
function show(isShown: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("shows the camera and listens while the page is visible, and not on a hidden page", async () => {
  vi.stubGlobal(
    "AudioContext",
    class extends AudioContext {
      constructor() {
        super();
        made.push(this);
      }
    },
  );
  await openPage({ as: ana });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.poll(picture).not.toBeNull();
  await expect.poll(() => made.map(({ state }) => state === "closed")).toEqual([false]);
  show(false);
  await expect.poll(picture).toBeNull();
  await expect.poll(() => made.map(({ state }) => state)).toEqual(["closed"]);
  await expect.element(page.getByRole("button", { name: t("home.camMute") })).toBeVisible();
  show(true);
  await expect.poll(picture).not.toBeNull();
  await expect.poll(() => made.length).toBe(2);
});
