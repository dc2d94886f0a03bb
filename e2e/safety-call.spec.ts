import { expect, type Page } from "@playwright/test";
import { framesOf } from "./support/frames.ts";
import { markerCamera, showMarker } from "./support/marker-camera.ts";
import { expectVideoPlays, remoteVideo } from "./support/media.ts";
import {
  callScreen,
  expectCallState,
  expectHome,
  expectLeftBy,
  expectTogether,
  expectToast,
  meet,
  test,
} from "./support/people.ts";
import { words } from "./support/words.ts";

test.use({ environment: { MODERATION: "marker" } });

const camera = { before: markerCamera } as const;
const heading = (page: Page, key: string) => page.getByRole("heading", { name: words(key) });
/** The remote picture is covered by its blurred copy. */
const blurred = (page: Page) => page.locator("section[data-status] canvas");

async function expectShown(page: Page): Promise<void> {
  await expect(heading(page, "shield.checking")).toBeHidden();
  await expect(heading(page, "shield.hidden")).toBeHidden();
  await expect(blurred(page)).toHaveCount(0);
}

/** Paths of the calls that a page makes from now on. */
function callsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
  return paths;
}

test("[SAFE-200] [SAFE-202] a picture is looked at first, and then shown by itself", async ({ person }) => {
  const [ada, ben] = await Promise.all([person({ name: "Ada" }, camera), person({ name: "Ben" }, camera)]);
  const uploads = callsOf(ada);
  await meet(ada, ben);
  await Promise.all([expectShown(ada), expectShown(ben)]);
  await expectVideoPlays(ada);
  expect(uploads).toContain("/api/video/inspect");
  const shields = framesOf(ada).received.filter((frame) => frame.includes('"shield"'));
  expect(shields.at(-1)).toContain('"other":"clear"');
});

test("[SAFE-205] [SAFE-206] an unsure picture is hidden and its sender warned, until it is clean again", async ({
  person,
}) => {
  test.setTimeout(180_000);
  const [cem, dua] = await Promise.all([person({ name: "Cem" }, camera), person({ name: "Dua" }, camera)]);
  await meet(cem, dua);
  await expectShown(dua);
  await showMarker(cem, "unsure");
  await expect(heading(dua, "shield.hidden")).toBeVisible({ timeout: 30_000 });
  await expect(blurred(dua)).toHaveCount(1);
  await expect(cem.getByText(words("shield.warnedText"))).toBeVisible();
  await expect(cem.getByText(words("shield.hiddenFrom", { name: "Dua" }))).toBeVisible();
  await expectShown(cem);
  await expectTogether(cem, dua);
  await showMarker(cem, "none");
  await expect(heading(dua, "shield.hidden")).toBeHidden({ timeout: 60_000 });
  await expect(cem.getByText(words("shield.warnedText"))).toBeHidden();
  await expectShown(dua);
});

test("[SAFE-230] a surely explicit picture ends the call: one goes on searching, the other is told why", async ({
  person,
}) => {
  test.setTimeout(180_000);
  const [eli, fay] = await Promise.all([person({ name: "Eli" }, camera), person({ name: "Fay" }, camera)]);
  await meet(eli, fay);
  await expectShown(fay);
  await showMarker(eli, "sure");
  await expect(heading(fay, "shield.cut")).toBeVisible({ timeout: 45_000 });
  await expectCallState(fay, "searching");
  await expect(fay.getByText(words("shield.cutText"))).toBeVisible();
  await expect(callScreen(eli)).toBeHidden();
  await expect(eli.getByRole("alertdialog").or(eli.getByRole("dialog"))).toBeVisible();
});

/** What is left of a call one frame after the key. */
function afterPanic(page: Page) {
  return page.evaluate(async () => {
    const streams = (videos: Iterable<HTMLVideoElement>) =>
      [...videos].flatMap(({ srcObject }) => (srcObject instanceof MediaStream ? [srcObject] : []));
    const own = streams(document.querySelectorAll<HTMLVideoElement>("[data-match-state] aside video"));
    const key = { key: "x", code: "KeyX", bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const tracks = own.flatMap((stream) => stream.getTracks());
    return {
      own: tracks.map(({ readyState }) => readyState),
      shown: streams(document.querySelectorAll("video")).length,
    };
  });
}

test("[SAFE-220] [SAFE-221] panic: gone in one frame, then blocked and reported, and never met again", async ({
  person,
}) => {
  const [gus, hal] = await Promise.all([person({ name: "Gus" }, camera), person({ name: "Hal" }, camera)]);
  await meet(gus, hal);
  const calls = callsOf(gus);
  expect(await afterPanic(gus)).toEqual({ own: ["ended", "ended"], shown: 0 });
  await expect(heading(gus, "panic.title")).toBeFocused();
  await expectLeftBy(hal, "Gus");
  await gus.getByRole("radio", { name: words("reason.report.9") }).check();
  expect(calls).not.toContain("/api/feedback");
  await expect(gus.getByText(words("panic.sent", { name: "Hal" }))).toBeVisible();
  expect(calls.filter((path) => path === "/api/feedback")).toHaveLength(1);
  await gus.getByRole("button", { name: words("panic.meet") }).click();
  await expectCallState(gus, "searching");
  // Both search, and nobody else does.
  await expect(heading(gus, "search.widen").or(gus.getByText(words("search.few")))).toBeVisible();
  await expectCallState(hal, "searching");
});

test("[SAFE-222] undo takes block and report back, and not the leaving", async ({ person }) => {
  const [ida, jon] = await Promise.all([person({ name: "Ida" }, camera), person({ name: "Jon" }, camera)]);
  await meet(ida, jon);
  const calls = callsOf(ida);
  await ida.keyboard.press("x");
  await ida.keyboard.press("u");
  await expect(ida.getByText(words("panic.undone", { name: "Jon" }))).toBeVisible();
  await expectLeftBy(jon, "Ida");
  await ida.keyboard.press("Escape");
  await expectHome(ida);
  expect(calls).not.toContain("/api/feedback");
  await ida.reload();
  await expectHome(ida);
});

test("[SAFE-224] a page that is closed before the time is over blocks and reports all the same", async ({ person }) => {
  const [kai, leo] = await Promise.all([person({ name: "Kai" }, camera), person({ name: "Leo" }, camera)]);
  await meet(kai, leo);
  await kai.keyboard.press("x");
  await expect(heading(kai, "panic.title")).toBeVisible();
  const context = kai.context();
  const reported = context.waitForEvent("request", (request) => request.url().endsWith("/api/feedback"));
  await kai.close();
  const again = await context.newPage();
  await again.goto("/");
  await reported;
});

test("[SAFE-225] a report during the call is sent, and the call goes on", async ({ person }) => {
  const [mio, noa] = await Promise.all([person({ name: "Mio" }, camera), person({ name: "Noa" }, camera)]);
  await meet(mio, noa);
  await mio.getByRole("button", { name: words("people.reportName", { name: "Noa" }) }).click();
  const sheet = mio.getByRole("dialog", { name: words("report.title") });
  await expect(sheet.getByText(words("report.sends"))).toBeVisible();
  await expect(sheet.getByRole("radio", { checked: true })).toHaveCount(0);
  await sheet.getByRole("radio").nth(1).check();
  await sheet.getByRole("button", { name: words("report.send") }).click();
  await expectToast(mio, "report.sent");
  await expectTogether(mio, noa);
});

test("[SAFE-210] whoever keeps pictures blurred sees one when asked for, and the next one blurred again", async ({
  person,
}) => {
  const [ola, pia] = await Promise.all([person({ name: "Ola" }, camera), person({ name: "Pia" }, camera)]);
  await meet(ola, pia);
  await expectShown(ola);
  await ola.getByRole("button", { name: words("shield.keep") }).click();
  await expect(heading(ola, "shield.kept")).toBeVisible();
  await expect(blurred(ola)).toHaveCount(1);
  await ola.getByRole("button", { name: words("shield.show") }).click();
  await expectShown(ola);
  await expect(remoteVideo(ola)).toBeVisible();
  await ola.getByRole("button", { name: words("call.end") }).click();
  await pia.getByRole("button", { name: words("search.stop") }).click();
  await ola.reload();
  await meet(ola, pia);
  await expect(heading(ola, "shield.kept")).toBeVisible();
  await expectShown(pia);
});
