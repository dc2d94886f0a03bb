import { expect, test } from "vitest";
import { findPersonalData } from "@fava/wire/personal-data.ts";
import { scanText } from "./text-scan.ts";
import { namedFindings } from "./text-service.ts";

test.each([
  "we won 21-19 18-21 21-15",
  "packs cost 1600 800 2000 beans",
  "GPA 3.5 3.7 3.9 4.0 3.8",
  "10.0.19045.3803",
  "my instagram is private",
  "see you @noon",
  "I learnt asp.net",
  "I was born in 1990 and moved in 2008, 2012 and 2019",
])("finds no contact data in %j, in any country", (text) => {
  for (const country of ["US", "TR", "ID", "SA", "CN", undefined])
    expect(scanText(text, country === undefined ? {} : { countries: [country] })).toEqual([]);
});

test.each([
  ["call 0532,123,45,67 now", "phone", "0532,123,45,67"],
  ["0532\n123\n45\n67", "phone", "0532\n123\n45\n67"],
  ["ara o532 l23 45 67", "phone", "o532 l23 45 67"],
  ["call five three two, one two three, four five six please", "phone", "five three two, one two three, four five six"],
  ["ara ❶❸❽❶❷❸❹❺❻❼❽ tamam", "phone", "❶❸❽❶❷❸❹❺❻❼❽"],
  ["ara 🄋❺❸❷🄋❶❷❸❹❺ tamam", "phone", "🄋❺❸❷🄋❶❷❸❹❺"],
  ["write to ana (at) mail (dot) com please", "email", "ana (at) mail (dot) com"],
  ["look at t.me/ana now", "link", "t.me/ana"],
  ["hey, twitter ana_lima90", "handle", "twitter ana_lima90"],
  ["send to cashapp $ana", "handle", "cashapp $ana"],
  ["İİ my ınstagram ana_lima ok", "handle", "ınstagram ana_lima"],
])("finds the contact data in %j, with its place", (text, kind, written) => {
  const found = scanText(text).filter((one) => one.kind === kind);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([written]);
});

test("finds in a line at least what the page finds in it", () => {
  for (const text of [
    "0532 123 45 67",
    "john at gmail dot com",
    "ana gmail com",
    "t me slash ana",
    "insta: analima",
    "加v abc123",
    "٠٥٣٢ ١٢٣ ٤٥ ٦٧",
    "零五三二一二三四五六七",
    "⓪⑤③②①②③",
  ])
    expect(namedFindings(scanText(text))).toEqual(expect.arrayContaining(findPersonalData(text)));
});
