import { expect, type Page } from "@playwright/test";
import {
  callScreen,
  expectCallState,
  expectHome,
  expectLeftBy,
  expectTogether,
  meet,
  startAgain,
  startChat,
  test,
} from "../../support/people.ts";
import { words } from "../../support/words.ts";

const heading = (page: Page, key: string) => page.getByRole("heading", { name: words(key) });

/** Paths of a page's requests from now on. */
function callsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
  return paths;
}

declare global {
  interface Window {
    ownTracks: MediaStreamTrack[];
  }
}

/** Records the local tracks that the page opens from now on. */
function keepOwnTracks(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    window.ownTracks = [];
    mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      window.ownTracks.push(...stream.getTracks());
      return stream;
    };
  });
}

/** What is left of a call one frame after the key. */
function afterPanic(page: Page) {
  return page.evaluate(async () => {
    const key = { key: "x", code: "KeyX", bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return {
      own: window.ownTracks.map(({ readyState }) => readyState),
      shown: [...document.querySelectorAll("video")].filter(({ srcObject }) => srcObject !== null).length,
    };
  });
}

test(
  "[SAFE-220] leaves within a frame on the panic key, then blocks and reports; Undo takes back both but not the leaving",
  { tag: "@deep" },
  async ({ person }) => {
    test.setTimeout(240_000);
    const [gus, hal] = await Promise.all([person({ name: "Gus Flees" }), person({ name: "Hal Stays" })]);
    await meet(gus, hal);
    const calls = callsOf(gus);
    await gus.keyboard.press("x");
    await gus.keyboard.press("u");
    await expect(gus.getByText(words("panic.undone", { name: "Hal Stays" }))).toBeVisible();
    await expectLeftBy(hal, "Gus Flees");
    await gus.keyboard.press("Escape");
    await expectHome(gus);
    await gus.reload();
    await expectHome(gus);
    expect(calls).not.toContain("/api/feedback");
    expect(calls).not.toContain("/api/user/block");

    // Not blocked: both meet again.
    await keepOwnTracks(gus);
    await startAgain(gus);
    await expectTogether(gus, hal);

    expect(await afterPanic(gus)).toEqual({ own: ["ended", "ended"], shown: 0 });
    await expect(heading(gus, "panic.title")).toBeFocused();
    await expectLeftBy(hal, "Gus Flees");
    await gus.getByRole("radio", { name: words("reason.report.9") }).check();
    expect(calls).not.toContain("/api/feedback");
    await expect(gus.getByText(words("panic.sent", { name: "Hal Stays" }))).toBeVisible();
    expect(calls.filter((path) => path === "/api/feedback")).toHaveLength(1);
    await gus.getByRole("button", { name: words("panic.meet") }).click();
    await expectCallState(gus, "searching");
    // Both search, and nobody else does.
    await expect(heading(gus, "search.widen").or(callScreen(gus).getByText(words("search.few")))).toBeVisible();
    await expectCallState(hal, "searching");

    await hal.keyboard.press("Escape");
    await expectHome(hal);
    const kim = await person({ name: "Kim Comes" });
    await startChat(kim);
    await expectTogether(gus, kim);
    // The button, held until its ring is full.
    await gus.getByRole("button", { name: words("panic.button") }).hover();
    await gus.mouse.down();
    await expect(heading(gus, "panic.title")).toBeVisible();
    await gus.mouse.up();
    const context = gus.context();
    const reported = context.waitForEvent("request", (request) => request.url().endsWith("/api/feedback"));
    await gus.close();
    const again = await context.newPage();
    await again.goto("/");
    await reported;
  },
);
