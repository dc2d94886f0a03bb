import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import { beforeAll, expect, test } from "vitest";
import { activateLanguage, t } from "#lib/i18n.ts";
import { AboutPage } from "./AboutPage.tsx";
import { LegalPage } from "./LegalPage.tsx";
import { SafetyPage } from "./SafetyPage.tsx";

beforeAll(() => activateLanguage("ur", { remember: false }));

async function htmlOf(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page);
  return new Response(prelude).text();
}

test.each([
  ["privacy policy", <LegalPage key="p" document="privacy" />, "Your calls aren’t recorded"],
  ["statement of accessibility", <LegalPage key="a" document="accessibility" />, "Fava aims at WCAG"],
  ["About us", <AboutPage key="u" />, "Talking with strangers"],
  ["safety centre", <SafetyPage key="s" />, "Someone is threatening you?"],
])(
  "shows the English text of the %s, marked and with a notice, in a language without one",
  async (_name, page, text) => {
    const html = await htmlOf(page);
    expect(html).toContain(t("page.onlyEnglish"));
    const start = html.lastIndexOf('lang="en" dir="ltr"', html.indexOf(text));
    expect(start).toBeGreaterThan(0);
    expect(html.indexOf(text)).toBeGreaterThan(start);
  },
);
