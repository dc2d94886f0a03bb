import { expect, test } from "vitest";
import {
  buttonKeys,
  buttonWidthMax,
  isWordless,
  shownWidth,
  signFaults,
  voiceFaults,
  wordsInAttributes,
} from "./catalog-words.ts";

test("requires a translation of a single word, but not of placeholders, signs and the product name", () => {
  expect(["{name}, {why}", "© {year} Fava", "{a} / {b}", "18+"].filter(isWordless)).toHaveLength(4);
  expect(["{beans} / min", "OK", "豆"].filter(isWordless)).toEqual([]);
});

test("finds characters that no text of the interface has", () => {
  expect(signFaults("Somebody’s “picture”… costs 18")).toEqual([]);
  expect(signFaults("Somebody's")).toEqual(["has a straight apostrophe instead of ’"]);
  expect(signFaults('a "word"')).toEqual(["has straight quotation marks"]);
  expect(signFaults("Hello!")).toEqual(["has an exclamation mark"]);
  expect(signFaults("你好！")).toEqual(["has an exclamation mark"]);
  expect(signFaults("٣ حبات")).toEqual(["has other than Western digits"]);
});

test("finds words that no English text uses", () => {
  expect(voiceFaults("Someone is waiting for you.")).toEqual([]);
  expect(voiceFaults("Somebody waits meanwhile.")).toEqual(['says "Somebody", which no English text does']);
  expect(voiceFaults("The call goes on.")).toEqual(['says "goes on", which no English text does']);
});

test("measures a line as displayed, and a plural by its widest form", () => {
  expect(shownWidth("Send")).toBe(4);
  expect(shownWidth("发送")).toBe(4);
  expect(shownWidth("บันทึก")).toBe(4);
  expect(shownWidth("{count, plural, one {Show # line} other {Show all # lines}}")).toBe(16);
});

test("allows a button wider than in English, up to a limit", () => {
  expect(buttonWidthMax("Send")).toBe(18);
  expect(buttonWidthMax("Continue without a picture")).toBeGreaterThan(40);
});

test("finds the texts of buttons without their attributes", () => {
  const code = `<Button kind="go" onClick={() => say(t("toast.done"))}>
      {t("common.save")}
    </Button>
    <p>{t("other.text")}</p>
    <Button aria-label={t("a.label")}>{busy ? t("b.busy") : t("b.free")}</Button>`;
  expect(buttonKeys(code)).toEqual(["common.save", "b.busy", "b.free"]);
});

test("finds literal words of a component in its attributes", () => {
  expect(wordsInAttributes(`<img alt="A bean" title={t("x")} className="big" aria-labelledby="head" />`)).toEqual([
    'alt="A bean"',
  ]);
  expect(wordsInAttributes(`<i alt="" />`)).toEqual([]);
});
