import { Suspense } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { OtherRoutes, preloadPart } from "./OtherRoutes.tsx";
import { activateLanguage } from "#lib/i18n.ts";

beforeAll(() => activateLanguage("en", { remember: false }));

test.each([
  "/privacyPolicy",
  "/userAgreement",
  "/communityRules",
  "/aboutUs",
  "/safety",
  "/notice",
  "/accessibility",
  "/transparency",
  "/404",
])("renders %s at once, because React drops a press on what is not rendered yet", async (path) => {
  await preloadPart(path);
  const html = renderToString(
    <Suspense fallback="nothing yet">
      <OtherRoutes pathname={path} />
    </Suspense>,
  );
  expect(html).not.toContain("nothing yet");
  expect(html).toContain("</h1>");
});
