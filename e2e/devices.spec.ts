import { expect, type Page } from "@playwright/test";
import { remoteVideo } from "./support/media.ts";
import { copyBuild, releaseAnother } from "./support/own-build.ts";
import { callScreen, expectCallState, expectTogether, meet, test as base, toasts } from "./support/people.ts";
import { words } from "./support/words.ts";

/** The server serves a copy of the build, so that a test can put a newer version in its place. */
const test = base.extend<object, { build: { directory: string } }>({
  build: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      await using build = await copyBuild();
      await use(build);
    },
    { scope: "worker" },
  ],
  environment: [async ({ build }, use) => use({ WEB_DIR: build.directory }), { scope: "worker" }],
});

test.use({ serviceWorkers: "allow" });

const start = (page: Page) => page.getByRole("button", { name: words("home.start") });
const login = (page: Page) => page.getByRole("dialog", { name: words("login.tagline") });
const offer = (page: Page) => toasts(page).getByText(words("device.newVersion"));

/** Names of what the worker keeps. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    if (!(await caches.has("fava-shell"))) return [];
    const requests = await (await caches.open("fava-shell")).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });
}

async function untilKept(page: Page): Promise<string[]> {
  await expect.poll(() => keptPaths(page), { timeout: 30_000 }).toContain("/kept-shell");
  return keptPaths(page);
}

test("[DEVICE-1] the product can be installed, in the language of the page", async ({ visitor }) => {
  const page = await visitor();
  const link = page.locator('link[rel="manifest"]');
  await expect(link).toHaveAttribute("href", "/manifest/en.webmanifest");
  const answer = await page.request.get("/manifest/en.webmanifest");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = (await answer.json()) as {
    id: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; purpose?: string }[];
    shortcuts: { name: string; url: string }[];
  };
  expect(manifest).toMatchObject({ id: "/", start_url: "/", display: "standalone", short_name: "Fava" });
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(["/?open=start", "/?open=messages"]);
  for (const { src, sizes } of manifest.icons.filter((icon) => icon.sizes !== "any")) {
    const shown = await page.evaluate(async (path) => {
      const picture = await createImageBitmap(await (await fetch(path)).blob());
      return `${picture.width}x${picture.height}`;
    }, src);
    expect([src, shown]).toEqual([src, sizes]);
  }
  expect(manifest.icons.filter(({ purpose }) => purpose === "maskable")).toHaveLength(2);
  await page.getByRole("button", { name: words("home.language") }).click();
  await page.getByRole("menuitemradio", { name: "Türkçe" }).click();
  await expect(link).toHaveAttribute("href", "/manifest/tr.webmanifest");
});

test("[DEVICE-1] a shortcut of the installed app does what it says, once", async ({ visitor }) => {
  const page = await visitor();
  await page.goto("/?open=messages&lang=en");
  await expect(login(page)).toBeVisible();
  await expect(page).toHaveURL(/\/\?lang=en$/);
});

test("[DEVICE-2] [DEVICE-3] without a network the home screen opens, in its language, and says that it is offline", async ({
  visitor,
}) => {
  const page = await visitor();
  const kept = await untilKept(page);
  expect(kept.filter((path) => !path.startsWith("/assets/"))).toEqual(["/", "/kept-shell"]);
  const texts = kept.filter((path) => /\/assets\/(?:en|ar|tr|id|zh-CN)-/.test(path));
  expect(texts).toHaveLength(1);

  await page.reload();
  await page.context().setOffline(true);
  await page.reload();
  await expect(start(page)).toBeVisible();
  await expect(page.getByText(words("offline.text"))).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(words("offline.text"))).toBeHidden();
});

test("[DEVICE-2] a change of language keeps the home screen in the new one only", async ({ visitor }) => {
  const page = await visitor();
  await untilKept(page);
  await page.getByRole("button", { name: words("home.language") }).click();
  await page.getByRole("menuitemradio", { name: "Türkçe" }).click();
  const texts = async () => (await keptPaths(page)).filter((path) => /\/assets\/(?:en|tr)-/.test(path));
  await expect.poll(texts).toEqual([expect.stringContaining("/assets/tr-")]);
});

test("[DEVICE-4] a new version is offered after the call, not in it, and loads when it is asked to", async ({
  person,
  build,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Update" }), person({ name: "Bo Update" })]);
  await untilKept(ana);
  await meet(ana, bo);
  await releaseAnother(build.directory);
  await ana.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise<void>((resolve) => {
      registration.addEventListener("updatefound", () => {
        registration.installing?.addEventListener("statechange", () => resolve());
      });
    });
    await registration.update();
    await found;
  });
  await expectTogether(ana, bo);
  await expect(offer(ana)).toBeHidden();
  await ana.getByRole("button", { name: words("call.end") }).click();
  await expect(offer(ana)).toBeVisible();
  await Promise.all([ana.waitForEvent("load"), ana.getByRole("button", { name: words("error.reload") }).click()]);
  await expect(start(ana)).toBeVisible();
});

test.describe("parts that do not come", () => {
  // What passes through a worker is out of the test's reach.
  test.use({ serviceWorkers: "block" });

  test("[DEVICE-5] a dialog that does not come at once is tried again, and after that offers to load the page anew", async ({
    visitor,
  }) => {
    const page = await visitor();
    let failures = 0;
    await page.route(/\/assets\/(?:OverlayStack|LoginSheet)-.*\.js/, (route) => {
      failures -= 1;
      return failures < 0 ? route.continue() : route.abort();
    });
    await page.reload();
    failures = 1;
    await start(page).click();
    await expect(login(page)).toBeVisible();

    failures = Number.POSITIVE_INFINITY;
    await page.reload();
    await start(page).click();
    await expect(toasts(page).getByText(words("error.chunk.text"))).toBeVisible();
    await expect(start(page)).toBeVisible();
    failures = 0;
    await page.getByRole("button", { name: words("error.reload") }).click();
    await start(page).click();
    await expect(login(page)).toBeVisible();
  });

  test("[DEVICE-5] a part that does not come never ends a call", async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Part" }), person({ name: "Bo Part" })]);
    await ana.route(/\/assets\/ReportSheet-.*\.js/, (route) => route.abort());
    await meet(ana, bo);
    await ana.getByRole("button", { name: words("people.reportName") }).click();
    await expect(toasts(ana).getByText(words("error.chunk.title"))).toBeVisible();
    await expect(ana.getByRole("button", { name: words("error.reload") })).toBeHidden();
    await expectTogether(ana, bo);
  });
});

/** Notes in `window.deviceNotes` what the page asks of the device. */
function notingDevice(): void {
  const notes: string[] = [];
  const handlers = new Map<string, () => void>();
  Object.assign(window, { deviceNotes: notes, pressMediaKey: (name: string) => handlers.get(name)?.() });
  const lock = () =>
    Object.assign(new EventTarget(), {
      released: false,
      type: "screen",
      release: async () => void notes.push("lock released"),
    });
  Object.defineProperty(navigator, "wakeLock", {
    value: { request: async () => (notes.push("lock asked"), lock()) },
  });
  navigator.mediaSession.setActionHandler = (name, handler) => {
    if (handler) handlers.set(name, () => handler({ action: name }));
    else handlers.delete(name);
  };
  HTMLVideoElement.prototype.requestPictureInPicture = async function () {
    notes.push(`floats: ${this.getAttribute("aria-label")}`);
    return new EventTarget() as PictureInPictureWindow;
  };
}

const notes = (page: Page) =>
  page.evaluate(() => (window as unknown as { deviceNotes: readonly string[] }).deviceNotes);

function pressMediaKey(page: Page, name: string): Promise<void> {
  return page.evaluate(
    (key) => (window as unknown as { pressMediaKey: (name: string) => void }).pressMediaKey(key),
    name,
  );
}

test("[DEVICE-8] [DEVICE-9] [DEVICE-10] in a call the screen stays on, media keys work, and the picture can float", async ({
  person,
}) => {
  const ana = await person({ name: "Ana Keys" }, { before: notingDevice });
  const bo = await person({ name: "Bo Keys" });
  await meet(ana, bo);
  expect(await notes(ana)).toEqual(["lock asked"]);
  const float = ana.getByRole("button", { name: words("call.pip") });
  await float.click();
  expect(await notes(ana)).toContainEqual(expect.stringContaining("floats: "));
  await expect(remoteVideo(ana)).not.toHaveAttribute("disablepictureinpicture");
  // A picture that is kept blurred must not be shown unblurred elsewhere.
  const keep = ana.getByRole("button", { name: words("shield.keep") });
  await keep.click();
  await expect(float).toBeHidden();
  await expect(remoteVideo(ana)).toHaveAttribute("disablepictureinpicture");
  await keep.click();
  await expect(float).toBeVisible();
  await ana.setViewportSize({ width: 390, height: 844 });
  await expect(float).toBeHidden();
  await ana.setViewportSize({ width: 960, height: 640 });

  const microphone = callScreen(ana).getByRole("button", { name: words("home.micMute") });
  await expect(microphone).toHaveAttribute("aria-pressed", "false");
  await pressMediaKey(ana, "togglemicrophone");
  await expect(microphone).toHaveAttribute("aria-pressed", "true");
  await pressMediaKey(ana, "nexttrack");
  await expectCallState(ana, "searching");
  await expect.poll(() => notes(ana)).toContain("lock released");
  await pressMediaKey(ana, "hangup");
  await expect(start(ana)).toBeVisible();
});

/** What the browser says when another tab comes to the front, and when this one is back. */
async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate((shown) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: !shown });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isShown);
}

test("[DEVICE-11] whoever looks at another tab has stepped away for the other, until they are back", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person({ name: "Ana Away" }), person({ name: "Bo Away" })]);
  await meet(ana, bo);
  await show(ana, false);
  await expect(bo.getByText(words("call.away"))).toBeVisible();
  await expectCallState(bo, "in-call");
  await show(ana, true);
  await expect(bo.getByText(words("call.away"))).toBeHidden();
  await expectTogether(ana, bo);
});

/** A browser that plays sound only for somebody who has pressed on the video's own page. */
function refusingSound(): void {
  const { prototype } = HTMLMediaElement;
  const play: unknown = Reflect.get(prototype, "play");
  let isPressed = false;
  prototype.play = function () {
    if (!this.muted && !isPressed) return Promise.reject(new DOMException("not allowed", "NotAllowedError"));
    return (play as typeof prototype.play).call(this);
  };
  const pressed = ({ target }: MouseEvent) => {
    isPressed ||= target instanceof Element && target.closest("section:has(> video) > button") !== null;
  };
  window.addEventListener("click", pressed, { capture: true });
}

test("[DEVICE-12] where the browser refuses sound, the picture plays and a tap turns the sound on", async ({
  person,
}) => {
  const ana = await person({ name: "Ana Sound" }, { before: refusingSound });
  const bo = await person({ name: "Bo Sound" });
  await meet(ana, bo);
  const isMuted = () => remoteVideo(ana).evaluate((video: HTMLVideoElement) => video.muted);
  expect(await isMuted()).toBe(true);
  await ana.getByRole("button", { name: words("call.hear") }).click();
  await expect.poll(isMuted).toBe(false);
  await expect(ana.getByRole("button", { name: words("call.hear") })).toBeHidden();
  await expectTogether(ana, bo);
});
