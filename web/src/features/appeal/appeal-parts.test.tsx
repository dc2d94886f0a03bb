import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeAll, expect, test } from "vitest";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { activateLanguage, t } from "#lib/i18n.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { AppealForm } from "./AppealPage.tsx";
import { BannedAccountRights } from "./BannedAccountRights.tsx";
import { dropDraft, keepDraft } from "./appeal-form.ts";

const token = "12.1767225600000.abcdefgh";
const html = (part: ReactNode) => renderToString(part).replaceAll("&quot;", '"');

beforeAll(() => activateLanguage("en", { remember: false }));
afterEach(dropDraft);

test("offers every ground, none preselected, and states the maximum length of the text", () => {
  const form = html(<AppealForm mails={false} token={token} onSent={() => undefined} />);
  const grounds = [t("appeal.ground.1"), t("appeal.ground.2"), t("appeal.ground.3"), t("appeal.ground.4")];
  expect(grounds.map((ground) => form.split(ground).length - 1)).toEqual([1, 1, 1, 1]);
  expect(form).not.toContain("checked");
  expect(form).toContain(`maxLength="${appealLengthMax}"`);
  expect(form).toMatch(/role="alert"[^>]*><\/p>/);
});

test("shows the stored draft", () => {
  keepDraft(token, { ground: 3, text: "Look at the whole chat." });
  const form = html(<AppealForm mails={false} token={token} onSent={() => undefined} />);
  expect(form).toMatch(/Look at the whole chat\.<\/textarea>/);
  expect(form.match(/checked/g)).toHaveLength(1);
});

test("offers beans, data and deletion while the ban is in force, closed at first", () => {
  const still = html(<BannedAccountRights token={token} status={banStatus()} />);
  for (const text of [t("appeal.data"), t("appeal.delete")]) expect(still).toContain(text);
  expect(still).toContain("48,200");
  expect(still).not.toContain(t("appeal.deleteNumber"));
});

test("offers nothing once the ban is over and its token is invalid", () => {
  expect(html(<BannedAccountRights token={token} status={banStatus({ in_force: false })} />)).toBe("");
});
