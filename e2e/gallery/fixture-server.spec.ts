import { expect } from "@playwright/test";
import { turnCookie } from "@fava/server/test/fixtures/fixture-server.ts";
import { loginPrepare } from "@fava/wire/endpoints/session.ts";
import { test } from "../support/fixture-page.ts";

test("ignores messages of an earlier test's page", async ({ world }) => {
  world.expectErrors(/Failed to load resource/);
  const page = await world.open();
  const isHeard = () =>
    page.evaluate(async (path) => {
      const body = new FormData();
      body.set("language", "en");
      return fetch(path, { method: "POST", body }).then(
        ({ ok }) => ok,
        () => false,
      );
    }, loginPrepare.path);
  expect(await isHeard()).toBe(true);
  await page.context().addCookies([{ name: turnCookie, value: "0", url: world.url }]);
  expect([await isHeard(), world.server.asked("loginPrepare").length]).toEqual([false, 1]);
});
