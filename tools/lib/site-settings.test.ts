import { expect, test } from "vitest";
import { siteSettings } from "./site-settings.ts";

test("fills only what was not given with test credentials, and names each", () => {
  const alone = siteSettings("production", {});
  expect(alone.settings).toMatchObject({ APP_MODE: "production", STRIPE_SECRET_KEY: "sk_live_test_credential" });
  expect(alone.sentences).toHaveLength(3);
  const given = siteSettings("production", { FACEBOOK_APP_ID: "1", FACEBOOK_APP_SECRET: "2", CODA_API_KEY: "3" });
  expect(given.settings).not.toHaveProperty("GOOGLE_CLIENT_ID");
  expect(given.settings).not.toHaveProperty("STRIPE_SECRET_KEY");
  expect(given.sentences).toEqual(["Company and contacts are made up"]);
  expect(siteSettings("production", { COMPANY_NAME: "Bean Ltd" }).settings["COMPANY_NAME"]).toBe("Bean Ltd");
  const sandbox = siteSettings("sandbox", {});
  expect(sandbox.settings).toEqual({ APP_MODE: "development" });
  expect(sandbox.sentences.join()).toMatch(/everyone sign in as any user/);
});
