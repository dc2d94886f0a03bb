import { expect, test } from "vitest";
import { findPersonalData } from "./personal-data.ts";

test.each([
  "zero five three two one two three four five six seven",
  "my number: Zero-Five-Three-Two, one two three, four five",
  "oh seven double nine one 2 triple four",
  "sıfır beş üç iki bir iki üç dört beş altı yedi",
  "SIFIR BES UC IKI BIR IKI UC DORT",
  "nol delapan satu dua tujuh tiga empat sembilan lima",
  "صفر خمسة ثلاثة اثنين واحد اثنان ثلاثة أربعة",
  "零五三二一二三四五六七",
  "我的号是幺三八 五五二一 七六零九",
  "壹叁捌伍贰零玖柒",
  "⓪⑤③②①②③",
  "❺ ❸ ❷ ❶ ❾ ❹ ⓿",
  "five three two 1 nine four 0 seven",
])("finds the number in the words of %j", (text) => {
  expect(findPersonalData(text)).toEqual(["phone"]);
});

test.each([
  "one two three four five six seven eight nine ten",
  "ten nine eight seven six five four three two one zero",
  "bir iki üç dört beş altı yedi sekiz dokuz on",
  "satu dua tiga empat lima enam tujuh",
  "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية",
  "一二三四五六七八九十",
  "①②③④⑤⑥⑦⑧",
  "① tea ② coffee ③ milk ④ juice ⑤ water ⑥ soda ⑦ none ⑧ all",
  "five six seven eight, five six seven eight",
  "one two one two one two one two",
  "I have two cats, three dogs, one bird, four fish, six cousins, five aunts and nine uncles",
  "二〇二六年十一月二十一日",
  "三七二十一",
  "我有一个哥哥两个姐姐三只猫",
  "one two three",
  "bir de iki çay, üç su, dört simit, beş kek, altı kahve, yedi ayran",
  "oh one more thing, two of us were there at seven",
  "o satu-satunya yang tiga kali datang",
  "at one 30, two 45 or three 15",
  "phone is four five six",
  "none of the ones wonder, often, weigh",
  "ست البيت واحد",
])("ignores %j, which counts or tells", (text) => {
  expect(findPersonalData(text)).toEqual([]);
});

test.each(["one ", "一", "①", "صفر ", "five-", "1 one "])(
  "scans a text of %j that is twenty times as long without quadratic time",
  (part) => {
    // In quadratic time, a hundred thousand signs would exceed the timeout of a test.
    expect(() => findPersonalData(part.repeat(Math.ceil(20_000 / part.length)))).not.toThrow();
  },
);
