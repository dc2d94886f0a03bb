import { once } from "node:events";
import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import { desktop, phone, test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

// The subject is a browser on its first visit.
test.use({ sharesPages: false, paints: true, offered: { pages: "as built" } });

/** Delays a file of the build until the returned function is called. */
async function holdPart(page: Page, files: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(files, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("[GUARD-20] forbids foreign scripts, and foreign use of camera and microphone", async ({ world }) => {
  for (const path of ["/", "/aboutUs", "/404"]) {
    const { headers } = await fetch(world.url + path);
    const policy = headers.get("content-security-policy") ?? "";
    const scripts = policy.split(";").find((rule) => rule.trim().startsWith("script-src")) ?? "";
    // The script that the build inlined is allowed by its hash; /404 has none.
    expect(scripts.trim(), path).toMatch(
      path === "/404" ? /^script-src 'self'$/ : /^script-src 'self' 'sha256-[\w+/]{43}='$/,
    );
    expect(policy, path).not.toContain("unsafe-");
    expect(headers.get("permissions-policy") ?? "", path).toContain("camera=(self)");
  }
});

test("loads at most 112 KB of gzipped JavaScript for the first screen", async ({ world }) => {
  const page = await world.open({
    before: () => {
      // The text is visible at once; the screen works when React has hydrated it.
      const look = () => {
        const isAlive = Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react"));
        if (isAlive) performance.mark("first-screen");
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
  });
  await page.waitForFunction(() => performance.getEntriesByName("first-screen").length > 0);
  const scripts = await page.evaluate(() => {
    const shownAt = performance.getEntriesByName("first-screen")[0]?.startTime ?? Number.POSITIVE_INFINITY;
    const loaded = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < shownAt);
    return [...new Set(loaded.map(({ name }) => name).filter((name) => name.endsWith(".js")))];
  });
  expect(scripts.length).toBeGreaterThan(1);
  let bytes = 0;
  for (const address of scripts) {
    const answer = await page.request.get(address, { headers: { "accept-encoding": "gzip" } });
    const size = Number(answer.headers()["content-length"]);
    // Compressing very small files is pointless.
    if (size > 2_000) expect(answer.headers()["content-encoding"], address).toBe("gzip");
    bytes += size;
  }
  expect(bytes, scripts.join("\n").replaceAll(world.url, "")).toBeLessThanOrEqual(112 * 1024);
});

test("paints a public page before it fetches a font or a script, unless that takes over a second", async ({
  world,
}) => {
  const page = await world.open();
  await expect(page.locator("html:not([data-shell])")).toBeAttached();
  const early = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const soonestMs = Math.min(paint?.startTime ?? Infinity, (visit?.domContentLoadedEventStart ?? 0) + 1_000);
    const fetched = performance.getEntriesByType("resource").filter(({ name }) => /\.(?:js|woff2)$/.test(name));
    return {
      all: fetched.length,
      before: fetched.filter(({ startTime }) => startTime < soonestMs).map(({ name }) => name),
    };
  });
  expect(early.all).toBeGreaterThan(3);
  expect(early.before).toEqual([]);
});

const firstFlightBytes = 14_600;

test("fits the home screen with its headers into the first flight of a connection", async ({ world }) => {
  const sizeOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { "accept-encoding": "br", accept: "text/html" };
      get(world.url + path, { headers, agent: false }, (answer) => {
        answer.resume().on("close", () => resolve(answer.socket.bytesRead));
      }).on("error", reject);
    });
  for (const language of ["en", "zh-CN", "ar", "tr", "id"])
    await expect.poll(() => sizeOf(`/?lang=${language}`), language).toBeLessThanOrEqual(firstFlightBytes);
});

test("keeps the drawn people of the page while their part comes late, and loads them after the first screen", async ({
  world,
}) => {
  const page = await world.open();
  const release = await holdPart(page, "**/assets/DrawnStage-*.js");
  await page.reload();
  const face = await page.waitForSelector('[fill="url(#ana-wide-skin)"]', { state: "attached" });
  const shape = await face.boundingBox();
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__react")),
  );
  const loaded = page.waitForResponse(/DrawnStage-/);
  release();
  await (await loaded).finished();
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main figure") ?? {}).some((key) => key.startsWith("__react")),
  );
  expect(await face.evaluate((element) => element.isConnected)).toBe(true);
  expect(await face.boundingBox()).toEqual(shape);
});

test("fetches icon and manifest after the first paint", async ({ world }) => {
  const page = await world.open({
    before: () => {
      window.setAside = [];
      new MutationObserver((changes) => {
        for (const { target, oldValue } of changes)
          window.setAside.push({ from: oldValue ?? "", to: (target as HTMLLinkElement).rel, atMs: performance.now() });
      }).observe(document, { subtree: true, attributeFilter: ["rel"], attributeOldValue: true });
    },
  });
  await expect(page.locator('link[rel="icon"]')).toBeAttached();
  await expect(page.locator('link[rel="manifest"]')).toBeAttached();
  const [changes, paintMs] = await page.evaluate(() => [
    window.setAside.filter(({ from, to }) => /icon|manifest/.test(from + to)),
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  ]);
  const kinds = ["icon", "manifest"];
  expect(changes.map(({ from }) => from)).toEqual([...kinds, ...kinds.map((kind) => `later-${kind}`)]);
  const soonestMs = Math.min(paintMs, changes[0]!.atMs + 1_000);
  for (const { atMs } of changes.slice(2)) expect(atMs).toBeGreaterThanOrEqual(soonestMs);
});

test("applies fonts part by part, and sends requests after hydration", async ({ world }) => {
  const page = await world.open({
    before: () => {
      window.tasks = [];
      new MutationObserver((changes) => {
        const { dataset } = document.documentElement;
        const isAlive = changes.some(({ attributeName }) => attributeName === "data-shell");
        if (isAlive && dataset["shell"] === undefined) window.tasks.push({ kind: "alive", parts: 0 });
        const parts = changes.filter(({ target }) => (target as HTMLElement).dataset["fonts"] === "now").length;
        if (parts > 0) window.tasks.push({ kind: "fonts", parts });
      }).observe(document, { subtree: true, attributeFilter: ["data-shell", "data-fonts"] });
      const send = window.fetch;
      window.fetch = (...call) => {
        window.tasks.push({ kind: "call", parts: 0 });
        return send(...call);
      };
    },
  });
  await expect(page.locator("html:not([data-fonts]):not([data-shell])")).toBeAttached();
  await page.waitForFunction(() => window.tasks.some(({ kind }) => kind === "call"));
  const tasks = await page.evaluate(() => window.tasks);
  const kinds = tasks.map(({ kind }) => kind);
  const fonts = tasks.filter(({ kind }) => kind === "fonts");
  expect(fonts.length).toBeGreaterThan(4);
  expect(fonts.filter(({ parts }) => parts > 1)).toEqual([]);
  expect(kinds.indexOf("call")).toBeGreaterThan(kinds.indexOf("alive"));
  await expect(page.locator("[data-fonts]")).toHaveCount(0);
});

declare global {
  interface Window {
    /** Changes of the `rel` of links. */
    setAside: { from: string; to: string; atMs: number }[];
    /** What happened in each task, in order. */
    tasks: { kind: string; parts: number }[];
    /** The sum of the layout shifts since the last call. */
    takeShift: () => number;
  }
}

function noteShift(): void {
  let sum = 0;
  const add = (entries: PerformanceEntryList) => {
    for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.takeShift = () => {
    add(observer.takeRecords());
    const taken = sum;
    sum = 0;
    return taken;
  };
}

/** After two frames of the page, because a shift is reported with the next one. */
const shiftOf = (page: Page) =>
  page.evaluate(async () => {
    for (let picture = 0; picture < 2; picture += 1) await new Promise(requestAnimationFrame);
    return window.takeShift();
  });

const shiftMax = 0.01;

const widths = [360, 390, 412, 768, 1440];
const isLoaded = () =>
  [...document.fonts].some(({ family, status }) => family.includes("Inter Variable") && status === "loaded");

for (const [index, language] of ["en", "zh-CN", "ar", "tr", "id"].entries())
  test(
    `hydrates the home screen in ${language} before its fonts, and does not move when they arrive`,
    { tag: language === "en" || language === "ar" ? [] : "@deep" },
    async ({ world }) => {
      const page = await world.open({ path: "/empty-page", before: noteShift });
      const resize = (width: number) => page.setViewportSize({ width, height: width < 768 ? 823 : 1_024 });
      // At one width per language the fonts really load late.
      const [first = 0, ...others] = [...widths.slice(index), ...widths.slice(0, index)];
      await resize(first);
      const release = await holdPart(page, "**/*.woff2");
      await page.goto(`/?lang=${language}`, { waitUntil: "commit" });
      await expect(page.locator("html:not([data-shell])")).toBeAttached();
      await shiftOf(page);
      const before = await page.evaluate(isLoaded);
      release();
      await page.waitForFunction(isLoaded);
      await expect(page.locator("html:not([data-fonts])")).toBeAttached();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      expect(before, "the fonts were held back").toBe(false);
      expect(await shiftOf(page), `${first} px`).toBeLessThan(shiftMax);
      // At the others the page itself first applies its fallbacks, then its fonts.
      for (const width of others) {
        await page.evaluate(() => void (document.documentElement.dataset["fonts"] = "later"));
        await resize(width);
        await page.waitForFunction((px) => innerWidth === px, width);
        await shiftOf(page);
        await page.evaluate(() => void delete document.documentElement.dataset["fonts"]);
        expect(await shiftOf(page), `${width} px`).toBeLessThan(shiftMax);
      }
    },
  );

test("does not paint half a public page", async ({ world }) => {
  const heldMs = 400;
  const pass = async (path: string, response: ServerResponse) => {
    const answer = await fetch(world.url + path);
    const body = Buffer.from(await answer.arrayBuffer());
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
    response.setHeader("content-type", answer.headers.get("content-type") ?? "");
    const half = isPage ? body.indexOf("<footer") : 0;
    response.write(body.subarray(0, half));
    setTimeout(() => response.end(body.subarray(half)), isPage ? heldMs : 0);
  };
  const slow = createServer((request, response) => {
    // Without it the page lacks the file, which the test reports.
    pass(request.url ?? "/", response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(slow, "listening");
  try {
    const page = await world.open({ path: "/empty-page", javaScriptEnabled: false });
    await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/`);
    const times = () =>
      page.evaluate(() => {
        const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
        const [paint] = performance.getEntriesByType("paint");
        return (paint?.startTime ?? 0) - (visit?.responseStart ?? 0);
      });
    // The clocks of two processes may differ slightly.
    await expect.poll(times).toBeGreaterThan(heldMs - 50);
  } finally {
    slow.closeAllConnections();
    slow.close();
  }
});

test("does not fetch an inlined style sheet again for a chunk", async ({ world }) => {
  const page = await world.open();
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(page.getByRole("dialog", { name: words("login.tagline") })).toBeVisible();
  const [inPage, fetched] = await page.evaluate(() => [
    [...document.querySelectorAll<HTMLElement>("style[data-file]")].map(({ dataset }) => dataset["file"] ?? ""),
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  ]);
  expect(inPage).toHaveLength(1);
  expect(fetched.filter((file) => file.endsWith(".css")).length).toBeGreaterThan(0);
  expect(fetched.filter((file) => inPage.includes(file))).toEqual([]);
});

test("opens the login dialog with one more script, loaded at the press, when Start is pressed before hydration", async ({
  world,
}) => {
  const page = await world.open({ path: "/privacyPolicy" });
  const release = await holdPart(page, "**/assets/vendor-*.js");
  await page.goto("/", { waitUntil: "commit" });
  const loaded = ["js", "css"].map((kind) => page.waitForRequest(new RegExp(`/dialogs-[^/]*\\.${kind}$`)));
  await page.getByRole("button", { name: words("home.start") }).click();
  await Promise.all(loaded);
  await expect(page.locator("html[data-shell]")).toBeAttached();
  const dialog = page.getByRole("dialog", { name: words("login.tagline") });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button")).toHaveText([""]);
  release();
  await expect(dialog.locator("[data-login-type]").first()).toBeVisible();
  await expect(dialog.getByRole("heading", { name: words("login.tagline") })).toBeFocused();
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => /([\w-]+)-[\w-]{8}\.js$/.exec(name)?.[1] ?? [])
      .slice(0, 6),
  );
  expect(scripts.toSorted()).toEqual(["app", "dialogs", "en", "index", "rolldown-runtime", "vendor"]);
  const styles = await page.evaluate(() =>
    performance.getEntriesByType("resource").filter(({ name }) => /\/dialogs-[^/]*\.css$/.test(name)),
  );
  expect(styles).toHaveLength(1);
});

for (const way of ["its button", "Escape"])
  test(`forgets a press on Start before hydration when its sheet is closed by ${way}`, async ({ world }) => {
    const page = await world.open({ path: "/privacyPolicy" });
    const release = await holdPart(page, "**/assets/vendor-*.js");
    await page.goto("/", { waitUntil: "commit" });
    const start = page.getByRole("button", { name: words("home.start") });
    await start.click();
    const dialog = page.getByRole("dialog");
    if (way === "Escape") await page.keyboard.press("Escape");
    else await dialog.getByRole("button", { name: words("common.close") }).click();
    await expect(dialog).toHaveCount(0);
    await expect(start).toBeFocused();
    release();
    await expect(page.locator("html:not([data-shell])")).toBeAttached();
    await expect(page.locator("#waiting-sheet")).toHaveCount(0);
    await expect(dialog).toHaveCount(0);
    await start.click();
    await expect(dialog.locator("[data-login-type]").first()).toBeVisible();
  });

test("runs Report of the safety centre after hydration when pressed before", async ({ world }) => {
  const page = await world.open({ path: "/aboutUs" });
  const release = await holdPart(page, "**/assets/safety-*.js");
  await page.goto("/safety", { waitUntil: "commit" });
  await page.getByRole("button", { name: words("safety.report") }).click();
  await expect(page.locator("html[data-shell]")).toBeAttached();
  release();
  await expect(page.getByRole("heading", { name: words("safety.reportTitle") })).toBeFocused();
});

for (const way of ["its link", "Escape"])
  test(`leaves no history entry when left by ${way} before hydration`, async ({ world }) => {
    const page = await world.open({ path: "/aboutUs" });
    const release = await holdPart(page, "**/assets/safety-*.js");
    await page.goto("/safety", { waitUntil: "commit" });
    const leave = page.getByRole("link", { name: words("safety.leave") });
    await expect(leave).toBeVisible();
    if (way === "Escape") await page.keyboard.press("Escape");
    else await leave.click();
    await expect(page).toHaveURL(/\/$/);
    release();
    await page.goBack();
    await expect(page).toHaveURL(/\/aboutUs$/);
  });

const tablet = { width: 820, height: 1180 };
const phoneAside = { width: 844, height: 390 };

test("does not move the home screen when the preview chunk arrives late", async ({ world }) => {
  const page = await world.open({ as: ana, path: "/empty-page" });
  const start = page.getByRole("button", { name: words("home.start") });
  const places = async () => {
    const found = [];
    for (const size of [phone, phoneAside, tablet, desktop]) {
      await page.setViewportSize(size);
      await page.waitForFunction((width) => innerWidth === width, size.width);
      // The frame after the one in which the page has learned its window size.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      found.push({ size, box: await start.boundingBox() });
    }
    return found;
  };
  const release = await holdPart(page, "**/assets/CameraPreview-*.js");
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByRole("button", { name: words("home.account") })).toBeVisible();
  const before = await places();
  await expect(page.getByRole("button", { name: words("home.turnOn") })).toHaveCount(0);
  release();
  await expect(page.getByRole("button", { name: words("home.turnOn") })).toBeVisible();
  expect(await places()).toEqual(before);
});
