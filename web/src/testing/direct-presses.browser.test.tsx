import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";

/** A button and its cover; returns how often each was pressed. */
function stage(): { button: HTMLButtonElement; cover: HTMLDivElement; presses: { button: number; cover: number } } {
  const presses = { button: 0, cover: 0 };
  const button = Object.assign(document.createElement("button"), { textContent: "Press me" });
  const cover = document.createElement("div");
  cover.style.cssText = "position: fixed; inset: 0";
  button.addEventListener("click", () => (presses.button += 1));
  cover.addEventListener("pointerdown", () => (presses.cover += 1));
  document.body.append(button);
  onTestFinished(() => [button, cover].forEach((element) => element.remove()));
  return { button, cover, presses };
}

const pressed = () => page.getByRole("button", { name: "Press me" }).click();
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 200));

test("presses really, and once, in a window of any size and after scrolling", async () => {
  const { button, presses } = stage();
  button.style.marginBlock = "3000px";
  const trusted = vi.fn<(event: Event) => void>();
  button.addEventListener("click", trusted);
  for (const size of [1440, 390]) {
    await page.viewport(size, 844);
    window.scrollTo(0, 0);
    await pressed();
  }
  window.scrollTo(0, 0);
  expect(presses.button).toBe(2);
  expect(trusted.mock.calls.map(([event]) => event.isTrusted)).toEqual([true, true]);
});

test.each([
  ["covered", ({ cover }) => document.body.append(cover), ({ cover }) => cover.remove()],
  ["disabled", ({ button }) => (button.disabled = true), ({ button }) => (button.disabled = false)],
  ["not visible", ({ button }) => (button.style.visibility = "hidden"), ({ button }) => (button.style.visibility = "")],
] satisfies [string, (on: ReturnType<typeof stage>) => void, (on: ReturnType<typeof stage>) => void][])(
  "waits with a press while the element is %s, and presses nothing else instead",
  async (_name, hinder, free) => {
    const on = stage();
    hinder(on);
    const press = pressed();
    await aWhile();
    expect(on.presses).toEqual({ button: 0, cover: 0 });
    free(on);
    await press;
    expect(on.presses).toEqual({ button: 1, cover: 0 });
  },
);

test("does not press what covers the element after the check", async () => {
  const { button, cover, presses } = stage();
  const come = () => {
    document.body.append(cover);
    setTimeout(() => cover.remove(), 100);
  };
  // The last check before the press.
  vi.spyOn(document, "elementFromPoint").mockImplementationOnce(() => {
    come();
    return button;
  });
  await pressed();
  expect(presses).toEqual({ button: 1, cover: 0 });
});

test("presses a moving element where it comes to rest, and nothing beside it", async () => {
  const { button, presses } = stage();
  const beside = vi.fn<() => void>();
  document.body.addEventListener("click", beside);
  onTestFinished(() => document.body.removeEventListener("click", beside));
  button.addEventListener("mousedown", () => (button.style.marginBlockStart = "300px"), { once: true });
  await pressed();
  expect([presses.button, beside.mock.calls.length]).toEqual([1, 1]);
});

test("rejects a press when two elements match", async () => {
  const { presses } = stage();
  stage();
  await expect(pressed()).rejects.toThrow("more than one");
  expect(presses.button).toBe(0);
});
