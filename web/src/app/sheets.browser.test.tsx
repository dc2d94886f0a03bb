import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { ana } from "#testing/fixtures.ts";
import { desktop, dialogsGone, openPage, phone } from "#testing/open-page.tsx";

/** The distance between the title and what is painted above it, in pixels. */
function gapAboveTitle(): number {
  const title = document.querySelector("[role=dialog] h2, [role=alertdialog] h2");
  const art = title?.parentElement?.previousElementSibling;
  if (!title || !art) throw new Error("no art above a title");
  const painted = [art, ...art.querySelectorAll("*")].filter(
    (element) => element.matches("svg, img") || getComputedStyle(element).backgroundColor !== "rgba(0, 0, 0, 0)",
  );
  const bottoms = painted.map((element) => element.getBoundingClientRect().bottom);
  return title.getBoundingClientRect().top - Math.max(...bottoms);
}

test("keeps the same distance between every icon and the title below it", async () => {
  await openPage({ as: ana });
  const end = { whose: "own", cause: "late", returned: 0 } as const;
  callStore.setState({ call: { status: "idle", attempt: 0, notice: { why: "unchecked", nickname: "Bo", end } } });
  for (const size of [desktop, phone]) {
    await page.viewport(size.width, size.height);
    for (const name of ["unchecked", "paused", "no-profiles", "low-beans"] as const) {
      void openOverlay(name);
      await expect.poll(() => document.querySelector("[role=dialog] h2, [role=alertdialog] h2")).not.toBeNull();
      expect(Math.round(gapAboveTitle()), `${name} at ${size.width}`).toBe(20);
      closeOverlay(name);
      await dialogsGone();
    }
  }
});

test("closes a phone's sheet that is dragged down by its title, and returns one that is dragged a little", async () => {
  await openPage({ as: ana });
  await page.viewport(phone.width, phone.height);
  void openOverlay("low-beans");
  const sheet = page.getByRole("dialog");
  await expect.element(sheet.getByRole("heading")).toHaveFocus();
  const drag = (element: Element, ...heights: readonly number[]) => {
    const touch = (type: string, clientY: number) =>
      element.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerId: 1, pointerType: "touch", isPrimary: true, clientY }),
      );
    touch("pointerdown", 400);
    for (const height of heights) touch("pointermove", height);
    touch("pointerup", heights.at(-1) ?? 400);
  };
  const title = sheet.getByRole("heading").element();
  drag(title, 420, 420);
  drag(sheet.getByRole("button").last().element(), 800);
  drag(title, 300);
  await expect.element(sheet).toBeVisible();
  expect(sheet.element().getAttribute("style")).not.toContain("translate");
  drag(title, 800, 800);
  await dialogsGone();
});

test.each(["unchecked", "ran-out", "not-taken"] as const)(
  "closes the %s dialog when a search started while it was loading",
  async (name) => {
    await openPage({ as: ana });
    expect(await openOverlay(name)).toBe("closed");
    await dialogsGone();
  },
);
