import { expect, test } from "vitest";
import { scanText } from "./text-scan.ts";

const contactKinds = new Set(["phone", "email", "link", "handle"]);
const contactsIn = (text: string) =>
  scanText(text)
    .filter(({ kind }) => contactKinds.has(kind))
    .map(({ kind }) => kind);

test.each([
  "telegrm: ana_lima",
  "sn@p → ana_lima",
  "1nstagram ana.lima",
  "disc0rd anna#0042",
  "i g: ana_lima",
  "ana.lima on the gram",
  "linkedin: Ana Lima",
  "look up Ana Lima on Facebook",
  "tiktok/analima",
  "加我卫星 analima88",
  "抖音搜 山里的小猫",
  "我❤信 analima88",
])("finds the account elsewhere in %j", (text) => {
  expect(contactsIn(text)).toContain("handle");
});

test.each([
  ["paypal dot me forward slash analima", "link"],
  ["vk com / id4455667", "link"],
  ["ana_99 at gmail", "email"],
  ["ana1990#qq.com", "email"],
  ["five five five then one two three then four five six seven", "phone"],
  ["nine one seven 555 0133", "phone"],
])("finds what is said in words in %j as %s", (text, kind) => {
  expect(contactsIn(text)).toContain(kind);
});

test.each([
  "my new iphone15 does not run discord",
  "we write snake_case at work",
  "a well-known singer is on tiktok",
  "mp3 or mp4?",
  "I discard old records, version 10.0.1",
  "signal strength on line_2 is bad",
  "I got banned from Discord for no reason",
  "one then two then three",
  "卫星照片很漂亮",
  "我喜欢刷抖音，你呢",
])("finds no account elsewhere in %j", (text) => {
  expect(contactsIn(text)).toEqual([]);
});

test.each(["telegrm ", "a_b ", "加微 ", "one then ", "@a ", "look up Ana Lima "])(
  "scans the longest text, made of %j, without an error",
  (part) => {
    expect(() => contactsIn(part.repeat(2_000).slice(0, 10_000))).not.toThrow();
  },
);
