import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { replaceUser } from "#lib/session.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

afterEach(() => {
  vi.restoreAllMocks();
});

const named = (n: number, count: string) => page.getByRole("button", { name: t("home.beans", { n, count }) });

/** Opens the page with 1,000 beans and holds its frames; `grow` changes the balance, `draw` draws the next frame. */
async function openHeld() {
  const server = await openPage({ as: { ...ana, credit5: 1_000 } });
  const balance = named(1_000, "1,000");
  // The figure that counts is loaded after the page.
  await expect.poll(() => balance.element().querySelector("span")?.textContent).toBe("1,000");
  const frames: FrameRequestCallback[] = [];
  vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
  const grow = (credit5: number) => {
    server.answer({ myInfo: { ...ana, credit5 } });
    replaceUser({ ...ana, credit5 });
  };
  const draw = (atMs: number) => frames.splice(0).forEach((frame) => frame(atMs));
  return { frames, grow, draw };
}

test("counts a larger balance up, never beyond it, and names the final one at once", async () => {
  // The browser of these tests prefers reduced motion.
  const asked = window.matchMedia.bind(window);
  vi.spyOn(window, "matchMedia").mockImplementation((query) =>
    asked(query.includes("reduced-motion") ? "not all" : query),
  );
  const { frames, grow, draw } = await openHeld();
  grow(11_000);
  const balance = named(11_000, "11,000");
  await expect.element(balance).toHaveTextContent("1,000");
  const shown = () => Number(balance.element().textContent?.replace(",", ""));
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  draw(5_000);
  let last = 1_000;
  for (const atMs of [5_100, 5_300, 5_500]) {
    await expect.poll(() => frames.length).toBeGreaterThan(0);
    draw(atMs);
    await expect.poll(shown).toBeGreaterThan(last);
    last = shown();
    expect(last).toBeLessThan(11_000);
  }
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  draw(5_600);
  await expect.poll(shown).toBe(11_000);
});

test.each([
  [400, "400"],
  [11_000, "11,000"],
])("shows a balance of %i at once with reduced motion", async (credit5, count) => {
  const { grow } = await openHeld();
  grow(credit5);
  await expect.element(named(credit5, count)).toHaveTextContent(new RegExp(`^${count}$`));
});
