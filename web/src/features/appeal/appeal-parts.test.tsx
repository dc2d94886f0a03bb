import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { appealLengthMax } from "@fava/wire/limits.ts";
import { request } from "#lib/api/request.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { AppealForm } from "./AppealPage.tsx";
import { BannedAccountRights } from "./BannedAccountRights.tsx";
import { dropDraft, keepDraft } from "./appeal-form.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/i18n.ts", async (original) => ({
  ...(await original<object>()),
  useT: () => (key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key),
}));

const token = "12.1767225600000.abcdefgh";
const html = (part: ReactNode) => renderToString(part).replaceAll("&quot;", '"');

afterEach(() => {
  dropDraft();
  vi.resetAllMocks();
});

test("[APPEAL-32] the form has every ground, none of them chosen, and says how long the text may be", () => {
  const form = html(<AppealForm token={token} onSent={() => undefined} />);
  expect(Array.from(form.matchAll(/appeal\.ground\.(\d)/g), ([, ground]) => ground)).toEqual(["1", "2", "3", "4"]);
  expect(form).not.toContain("checked");
  expect(form).toContain(`maxLength="${appealLengthMax}"`);
  expect(form).toMatch(/role="alert"[^>]*><\/p>/);
});

test("[APPEAL-32] the form shows the draft that was kept", () => {
  keepDraft(token, { ground: 3, text: "Look at the whole chat." });
  const form = html(<AppealForm token={token} onSent={() => undefined} />);
  expect(form).toMatch(/Look at the whole chat\.<\/textarea>/);
  expect(form.match(/checked/g)).toHaveLength(1);
});

test("[APPEAL-33] beans, data and leaving are offered while the ban is in force, and closed at first", () => {
  const still = html(<BannedAccountRights token={token} status={banStatus()} />);
  for (const key of ["appeal.beans", "appeal.data", "appeal.delete"]) expect(still).toContain(key);
  expect(still).toContain("48,200");
  expect(still).not.toContain("appeal.deleteNumber");
  expect(request).not.toHaveBeenCalled();
});

test("[APPEAL-33] once the ban is over its token opens nothing, and nothing is offered", () => {
  expect(html(<BannedAccountRights token={token} status={banStatus({ in_force: false })} />)).toBe("");
});
