import { expect, test } from "vitest";
import { fillFacts } from "./operator-facts.ts";

const facts = { company: "Fava Ltd", email: "help@fava.example", year: "2026", evidenceKept: "30 days" };

test("fills the operator's facts into the texts, the e-mail address as a link", () => {
  expect(fillFacts("{company}: write to {email}.", facts)).toEqual([
    { text: "Fava Ltd", kind: "fact" },
    { text: ": write to ", kind: "words" },
    { text: "help@fava.example", kind: "email" },
    { text: ".", kind: "words" },
  ]);
  expect(fillFacts("© {year} {other}", facts).map((run) => run.text)).toEqual(["© ", "2026", " ", "{other}"]);
});

test("fills in limits of the product, and links its other pages", () => {
  expect(fillFacts("Kept {evidenceKept}, see [the rules](/communityRules#adults).", facts)).toEqual([
    { text: "Kept ", kind: "words" },
    { text: "30 days", kind: "words" },
    { text: ", see ", kind: "words" },
    { text: "the rules", kind: "link", to: "/communityRules#adults" },
    { text: ".", kind: "words" },
  ]);
  expect(fillFacts("[elsewhere](https://else.test)", facts)).toEqual([
    { text: "[elsewhere](https://else.test)", kind: "words" },
  ]);
});
