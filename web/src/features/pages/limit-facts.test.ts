import { expect, test } from "vitest";
import { limitFactNames, limitFacts } from "./operator-facts.ts";

test("states the durations of the product, in the words and plurals of each language", () => {
  expect(limitFacts("en")).toMatchObject({ evidenceKept: "30 days", pause: "15 minutes", freeMatches: "20" });
  expect(limitFacts("ar")).toMatchObject({ evidenceKept: "30 يومًا", free: "10 ثوان", appealAnswer: "72 ساعة" });
  expect(limitFacts("tr")).toMatchObject({ withdraw: "14 gün", recent: "24 saat" });
  expect(limitFacts("id")).toMatchObject({ unseconded: "7 hari", pauseMax: "24 jam" });
  expect(limitFacts("zh-CN")).toMatchObject({ addressesKept: "90 天" });
});

test("states no duration as a fraction of its unit", () => {
  const facts = limitFacts("en");
  expect(Object.keys(facts).toSorted()).toEqual([...limitFactNames].toSorted());
  expect(Object.values(facts).filter((text) => !/^\d+( [a-z]+)?$/.test(text))).toEqual([]);
});
