import { expect, test } from "vitest";
import { findPersonalData } from "./personal-data.ts";

test.each([
  "16.30 then 2000 beans",
  "Scunthorpe is nice, and so is the cockpit",
  "2019 2020 2021",
  "on 2026-11-21 12:30, or 12.05.1998",
  "it costs 1.000.000.000 or $1,299.99 or 12 500 000",
  "10 9 8 7 6 5 4 3 2 1 go",
  "55555555555",
  "3.14159265",
  "5'10 and 180 cm, 75 kg",
  "score was 21-19 21-17 18-21 15-13",
  "hi.my name is Ana",
  "oh snap that was fun, line up here",
  "first line: hello world",
  "odd line a1b2c3",
  "the bottom line 1234567",
  "a bus signal x_1234",
  "what a snap decision_2",
  "do you have whatsapp? telegram is good",
  "see you @home",
  "微信好用吗",
  "meet me at school",
  "we won 21-19 18-21 21-15",
  "packs cost 1600 800 2000 beans",
  "GPA 3.5 3.7 3.9 4.0 3.8",
  "windows 10.0.19045.3803",
  "my instagram is private",
  "see you @noon",
  "I code in asp.net",
  "the lottery numbers were 4 11 19 23 36 42",
  "我今年25岁",
  "عمري ٢٥ سنة",
])("ignores %j", (text) => {
  expect(findPersonalData(text)).toEqual([]);
});

test.each([
  ["call +90 532 123 45 67", "phone"],
  ["٠٥٣٢ ١٢٣ ٤٥ ٦٧", "phone"],
  ["۰۵۳۲۱۲۳۴۵۶۷", "phone"],
  ["0 5 3 2 1 2 3 4 5 6 7", "phone"],
  ["0532,123,45,67", "phone"],
  ["0532:123:45:67", "phone"],
  ["0532\n123\n45\n67", "phone"],
  ["o532 l23 45 67", "phone"],
  ["t me slash ana", "link"],
  ["①②③④⑤⑥⑦⑧⑨⓪", "phone"],
  ["0️⃣5️⃣3️⃣2️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣", "phone"],
  ["05\u200b32\u200b1234567", "phone"],
  ["ana@example.org", "email"],
  ["ａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ", "email"],
  ["john (at) gmail (dot) com", "email"],
  ["john at gmail dot com", "email"],
  ["ana [et] mail [nokta] com", "email"],
  ["ana gmail com", "email"],
  ["https://example.test/x", "link"],
  ["t.me/ana", "link"],
  ["wa.me/ana", "link"],
  ["see example (dot) com", "link"],
])("finds %j as %s, however its signs are written", (text, finding) => {
  expect(findPersonalData(text)).toEqual([finding]);
});

test.each([
  "snap ana_99",
  "snap①②③④⑤⑥",
  "insta: analima",
  "my telegram is analima",
  "discord ana.lima",
  "line id analima",
  "my line ana_99",
  "hey, line: ana_99",
  "add me on snap ana_99",
  "kik ana1990",
  "insta adresim analima",
  "ig aku ana_lima",
  "سنابي ana99",
  "حسابي انستا analima",
  "加我微信abc123",
  "我的微信是analima",
  "qq 123456789 1",
  "@ana_lima",
  "twitter ana_lima90",
  "cashapp $ana",
  "add me on discord, ana#1234",
  "ınstagram ana_lima",
  "加v abc123",
  "wei信 abc123",
  "телеграм ana_lima",
  "카카오톡 analima1",
])("finds the account on another service in %j", (text) => {
  expect(findPersonalData(text)).toContain("handle");
});

test.each([
  "0532 sonra 123 sonrası 45 67",
  "nomorku 0812 terus 3456 lalu 7890",
  "0812 trus 3456 lanjut 7890",
  "0812|3456|7890",
  "٠٥٥ ثم ١٢٣ بعدين ٤٥٦٧",
  "055 ثم 123 وبعدين 4567",
])("finds the number in %j, whose groups have words between them", (text) => {
  expect(findPersonalData(text)).toEqual(["phone"]);
});

test.each(["0.5.3.2.1.2.3.4.5.6.7 ara", "nomorku 0,8,1,2,3,4,5,6,7,8,9", "رقمي ٠.٥.٥.١.٢.٣.٤.٥.٦.٧"])(
  "finds the number in %j, which begins with 0 and has a sign behind each digit",
  (text) => {
    expect(findPersonalData(text)).toEqual(["phone"]);
  },
);

test.each([
  "saat 5 sonra 7'de gel, 2 sonra 3",
  "jam 7 terus 8 lalu 9",
  "2019 terus 2020 lalu 2021",
  "الساعة 5 ثم 7 بعدين 9",
  "0.123456789",
  "0,25 0,75 0,5",
  "1.5.3.2.1.2.3.4.5.6.7",
])("finds no number in %j, which counts or measures", (text) => {
  expect(findPersonalData(text)).toEqual([]);
});

test.each(["1 ", "a@", "snap ", "a.", "(", " at ", "+1", "微信", " ", "whatsapp:", "1.1.1 ", "@a"])(
  "scans a text of %j that is twenty times as long without quadratic time",
  (part) => {
    // In quadratic time, a hundred thousand signs would exceed the timeout of a test.
    expect(() => findPersonalData(part.repeat(Math.ceil(20_000 / part.length)))).not.toThrow();
  },
);
