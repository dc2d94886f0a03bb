import { afterEach, expect, test } from "vitest";
import { rulesReadMs } from "@fava/wire/limits.ts";
import { textsIn } from "#lib/i18n.ts";
import { clearForSignOut, readStored, removeStored, writeStored } from "#lib/storage.ts";
import { areRulesRead, noteRulesRead, rulesVersion } from "./safety-rules.ts";

const nowMs = Date.UTC(2026, 10, 28);

afterEach(() => {
  removeStored("neverShowRule");
  removeStored("rulesRead");
});

test("[HOME-8] accepts Got it for 30 days", () => {
  expect(areRulesRead(nowMs)).toBe(false);
  noteRulesRead(nowMs, { never: false });
  expect(rulesReadMs).toBe(30 * 86_400_000);
  expect([nowMs, nowMs + rulesReadMs - 1, nowMs + rulesReadMs].map(areRulesRead)).toEqual([true, true, false]);
  expect(readStored("neverShowRule")).toBeNull();
});

test.each(["nonsense", `${rulesVersion}`, `${rulesVersion} soon`])(
  "[HOME-8] shows the rules when %j is stored",
  (stored) => {
    writeStored("rulesRead", stored);
    expect(areRulesRead(nowMs)).toBe(false);
  },
);

test("[HOME-8] asks again when the clock was set back by 30 days", () => {
  noteRulesRead(nowMs, { never: false });
  expect(areRulesRead(nowMs - rulesReadMs)).toBe(false);
});

test("[HOME-8] shows changed rules again, but not to users who hid them", () => {
  writeStored("rulesRead", `${rulesVersion - 1} ${nowMs}`);
  expect(areRulesRead(nowMs)).toBe(false);
  noteRulesRead(nowMs, { never: true });
  writeStored("rulesRead", `${rulesVersion - 1} ${nowMs}`);
  expect(areRulesRead(nowMs + 2 * rulesReadMs)).toBe(true);
});

test("[HOME-8] [STORE-1] keeps the never-show flag at sign-out, and forgets a plain Got it", () => {
  noteRulesRead(nowMs, { never: false });
  clearForSignOut();
  expect(areRulesRead(nowMs)).toBe(false);
  noteRulesRead(nowMs, { never: true });
  clearForSignOut();
  expect(areRulesRead(nowMs)).toBe(true);
});

test("[HOME-8] requires a new version with every change of the rules' text", async () => {
  const english = await textsIn("en");
  const keys = ["adults", "adultsText", "1", "1t", "3", "3t", "2", "2t", "evidence", "evidenceText"] as const;
  const texts = keys.map((key) => english(`rules.${key}`));
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(texts)));
  const digest = [...new Uint8Array(bytes).subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  // If this fails, increase `rulesVersion` and update both values.
  expect({ version: rulesVersion, digest }).toEqual({ version: 3, digest: "f7d5b8e429f2" });
});
