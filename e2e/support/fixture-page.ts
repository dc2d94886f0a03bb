import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  test as base,
} from "@playwright/test";
import { type Answers, FixtureWorld } from "@fava/web/testing/fixture-world.ts";
import { memberAnswers, visitorAnswers } from "@fava/web/testing/fixtures.ts";
import { type MatchChange, match as matchWith } from "@fava/web/testing/match.ts";
import { installRemotePerson } from "@fava/web/testing/remote-person.ts";
import { veil } from "@fava/web/testing/veil.ts";
import { type InterfaceLanguage, offeredLanguagesDefault } from "@fava/wire/languages.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import {
  type FileGate,
  type FixtureServer,
  startFixtureServer,
  turnCookie,
} from "@fava/server/test/fixtures/fixture-server.ts";
import { ConsoleErrors } from "./console-errors.ts";
import { joinPages } from "./joined-pages.ts";
import { type InitScript, SharedPages } from "./shared-pages.ts";
import { stillClock } from "./still-clock.ts";

const webDirectory = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Number of tests of this process so far. */
let turns = 0;

/** A page of the product's origin that runs no script. */
export const emptyPath = "/empty-page";

export const desktop = { width: 1440, height: 900 } as const;
export const phone = { width: 390, height: 844 } as const;
/** Windows of other common phones. */
export const otherPhones = {
  "phone-small": { width: 360, height: 640 },
  "phone-large": { width: 412, height: 915 },
  "phone-lying": { width: 844, height: 390 },
} as const;

export interface OpenOptions extends Pick<
  BrowserContextOptions,
  "locale" | "colorScheme" | "timezoneId" | "javaScriptEnabled" | "serviceWorkers" | "hasTouch"
> {
  /** Default: home; the empty path loads nothing yet. */
  path?: string;
  /** Default: a desktop. */
  viewport?: { width: number; height: number };
  /** The signed-in user; a visitor by default. */
  as?: OwnUser;
  /** In addition to the default responses for a visitor or member. */
  answers?: Answers;
  /** Whether the browser allows camera and microphone. */
  devices?: "allowed" | "refused";
  /** The time of the page's stopped clock, in milliseconds since the epoch. Default: the real clock. */
  nowMs?: number;
  /** Stored in the browser before the page opens. */
  stored?: Readonly<Record<string, string>>;
  /** Runs in the page before its own scripts; several run in order. */
  before?: InitScript | readonly InitScript[];
  /** Prepares the browser before the page opens; for a shared page it only adds routes. */
  prepare?: (context: BrowserContext) => Promise<void>;
  /** The test changes the page irreversibly: no other test may use it. */
  isUsedUp?: boolean;
  /** A separate browser; the page is not shared then. */
  browser?: Browser;
}

/** A test's own environment: the built pages, with fixtures as their server. */
export interface PageWorld {
  readonly url: string;
  readonly server: FixtureWorld;
  /** Opens a separate browser for one user. */
  open(options?: OpenOptions): Promise<Page>;
  /** Replaces the file at a path, as a newer release does. */
  release(path: string, text: string): void;
  /** Filters the requests for built files from now on. */
  guard(gate: FileGate): void;
  /** Allows console errors of the test, such as those of an intended failure. */
  expectErrors(pattern: RegExp): void;
  /** Matches the searching user of a page with a partner whose video really arrives; resolves to the room's id. */
  match(page: Page, change?: MatchChange): Promise<string>;
}

/** Which pages are served, and in which languages. */
interface Offered {
  /** Default: those of an installation without a setting. */
  languages?: readonly InterfaceLanguage[];
  /** Joined: as `joinPages` makes them, for tests that do not need separate chunks. */
  pages?: "as built" | "joined";
}

/** Returns the server of such pages, which it starts if necessary. */
type FixtureServers = (offered: Offered) => Promise<FixtureServer>;

/**
 * Serves the built pages as the product does, with fixtures as their server: no installation, sign-in or waiting.
 * Console errors, requests without a response and responses that break the contract fail the test.
 */
export const test = base.extend<
  {
    world: PageWorld;
    sharesPages: boolean;
    paints: boolean;
    offered: Offered;
    fixtureServer: FixtureServer;
  },
  { fixtureServers: FixtureServers; sharedPages: SharedPages }
>({
  /** Whether the pages of a passed test are reused by later ones. */
  sharesPages: [true, { option: true }],
  /** Whether pages are painted; otherwise they are only laid out. */
  paints: [false, { option: true }],
  sharedPages: [({ browser }, use) => use(new SharedPages(browser, emptyPath)), { scope: "worker" }],
  /** In an object, because Playwright takes a list of languages for a fixture with options. */
  offered: [{}, { option: true }],
  fixtureServers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const servers = new Map<string, FixtureServer>();
      await use(async ({ languages = offeredLanguagesDefault, pages = "as built" }) => {
        const key = [pages, ...languages].join();
        const known = servers.get(key);
        if (known) return known;
        const directory = pages === "joined" ? await joinPages(webDirectory) : webDirectory;
        const server = await startFixtureServer(directory, languages);
        servers.set(key, server);
        return server;
      });
      for (const server of servers.values()) await server[Symbol.asyncDispose]();
    },
    { scope: "worker" },
  ],
  fixtureServer: async ({ offered, fixtureServers }, use) => use(await fixtureServers(offered)),
  world: async ({ fixtureServer, sharesPages, paints, sharedPages }, use, testInfo) => {
    const server = new FixtureWorld(visitorAnswers);
    const errors = new ConsoleErrors();
    const expected: RegExp[] = [];
    fixtureServer.backend = server;
    fixtureServer.turn = turns += 1;
    const turn = { name: turnCookie, value: String(fixtureServer.turn), url: fixtureServer.url };
    const open = async (options: OpenOptions = {}) => {
      const { path = "/", as, answers = {}, devices, nowMs, stored = {}, before = [], ...others } = options;
      const {
        prepare,
        browser,
        isUsedUp = !sharesPages || browser !== undefined,
        viewport = desktop,
        ...rest
      } = others;
      server.answer({ ...(as ? memberAnswers(as, () => nowMs ?? Date.now()) : visitorAnswers), ...answers });
      const browserOptions: BrowserContextOptions = {
        baseURL: fixtureServer.url,
        // With a viewport Playwright also resizes the browser's own window whenever the page gets a size.
        viewport: null,
        reducedMotion: "reduce",
        locale: "en-US",
        ...rest,
      };
      const clock = nowMs === undefined ? [] : [stillClock(nowMs)];
      const scripts = [installRemotePerson, ...clock, ...(paints ? [] : [veil]), ...[before].flat()];
      const page = await sharedPages.lend({ options: browserOptions, scripts, isUsedUp, browser });
      const context = page.context();
      errors.watch(context);
      await context.addCookies([turn]);
      await page.setViewportSize(viewport);
      if (devices === "allowed") await context.grantPermissions(["camera", "microphone"]);
      await prepare?.(context);
      if (as || Object.keys(stored).length > 0) {
        // A reused page is there already.
        if (!page.url().endsWith(emptyPath)) await page.goto(emptyPath);
        await page.evaluate(keepStored, stored);
        if (as) await page.evaluate(keepSession, as);
      }
      if (path !== emptyPath) await page.goto(path);
      return page;
    };
    await use({
      url: fixtureServer.url,
      server,
      open,
      release: (path, text) => fixtureServer.released.set(path, text),
      guard: (gate) => void (fixtureServer.gate = gate),
      expectErrors: (pattern) => expected.push(pattern),
      match: (page, change) => match(server, page, change),
    });
    errors.leave();
    fixtureServer.backend = null;
    fixtureServer.released.clear();
    fixtureServer.gate = null;
    await sharedPages.takeBack({ hasFailed: testInfo.errors.length > 0 });
    expect(server.faults, "faults of the page or its fixtures").toEqual([]);
    expect(errors.unexpected(expected), "errors on the console").toEqual([]);
  },
});

/** Waits until the page has opened its chat socket: earlier messages reach nobody. */
export async function socketOpened(server: FixtureWorld): Promise<void> {
  await expect.poll(() => server.hasSocket && server.socket.heard("hello").length).toBe(1);
}

async function match(server: FixtureWorld, page: Page, change?: MatchChange): Promise<string> {
  await expect(page.locator("[data-match-state]")).toHaveAttribute("data-status", "searching");
  await socketOpened(server);
  return matchWith(
    server,
    {
      offer: () => page.evaluate(() => window.remotePerson.offer()),
      // The page may be closed, or emptied for the next test, while its last signals are being sent.
      take: (signal) =>
        page
          .evaluate((one) => window.remotePerson.take(one), signal)
          .catch((error: unknown) => {
            const isLeft = new URL(page.url()).pathname === emptyPath || /context was destroyed/.test(String(error));
            if (page.isClosed() || isLeft) return [];
            throw error;
          }),
    },
    change,
  );
}

function keepStored(stored: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
}

/** Runs in the page: stores what a sign-in stores. Nothing verifies the key's signatures. */
async function keepSession(user: OwnUser): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open("fava", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("signKeys");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error("no database of keys"));
  });
  await new Promise((resolve, reject) => {
    const transaction = database.transaction("signKeys", "readwrite");
    transaction.objectStore("signKeys").put(key, "token");
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(new Error("the key could not be kept"));
  });
  database.close();
  const stored = {
    loginToken: "token",
    tencentCloudToken: "sign",
    externalId: user.externalId,
    uid: user.user_id,
    nickname: user.nickname,
    user_avatar: user.avatar,
  };
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, String(value));
}
