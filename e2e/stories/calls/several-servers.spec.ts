import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { startEmbedded } from "@fava/server/db/embedded.ts";
import { SitePerson } from "@fava/server/test/fixtures/site-person.ts";
import { siteIsInstalled, SiteProcesses } from "@fava/server/test/fixtures/site-processes.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { framesOf } from "../../support/frames.ts";
import { expectTogether, meet, test as base } from "../../support/people.ts";

const refuse = () => Promise.reject(new Error("a site of several servers"));

/** Two servers, HAProxy, Redis and an embedded database instead of one server. */
const test = base.extend<object, { site: SiteProcesses }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names that a fixture takes.
    async ({}, use) => {
      const directory = await mkdtemp(join(tmpdir(), `fava-stories-site-${process.pid}-`));
      await chmod(directory, 0o755);
      try {
        await using database = await startEmbedded({ directory: join(directory, "postgres"), log: () => undefined });
        await using site = await SiteProcesses.start({
          databaseUrl: database.url,
          environment: { MODERATION: "marker" },
        });
        // Before that, new servers reject signatures as too old.
        await using _first = await SitePerson.at(site, "first");
        await use(site);
      } finally {
        await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      }
    },
    { scope: "worker", timeout: 180_000 },
  ],
  product: [
    async ({ site }, use) => {
      const unused = { dataDirectory: "", pid: 0, log: [], kill: refuse, restart: refuse };
      await use({ url: site.url, ...unused, [Symbol.asyncDispose]: async () => undefined });
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

test.skip(!siteIsInstalled, "Redis or HAProxy is not installed");

/** The server that has the chat session of this page. */
function serverOf(page: Page): unknown {
  const welcomes = framesOf(page).received.flatMap((text) => {
    const frame = JSON.parse(text) as { type: string; server?: string };
    return frame.type === "welcome" ? [frame.server] : [];
  });
  return welcomes.at(-1);
}

test(
  "matches two users at the open server from any server, and continues their call at the other when it dies",
  { tag: "@deep" },
  async ({ person, site }) => {
    test.setTimeout(240_000);
    const [ana, bo] = await Promise.all([person({ name: "Ana Moves" }), person({ name: "Bo Moves" })]);
    await meet(ana, bo);
    expect(serverOf(ana)).toBeDefined();
    expect(serverOf(bo)).toBe(serverOf(ana));
    const matchesOf = (page: Page) => framesOf(page).pushes(pushCodes.matched);
    const first = serverOf(ana);
    await (await site.matcherOwner())?.kill();
    for (const page of [ana, bo]) {
      await expect.poll(() => matchesOf(page).length, { timeout: 60_000 }).toBe(2);
      expect(new Set(matchesOf(page).map(({ roomId }) => roomId)).size, "rooms").toBe(1);
      expect(serverOf(page)).not.toBe(first);
    }
    await expectTogether(ana, bo);
  },
);
