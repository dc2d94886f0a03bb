import { expect, test } from "vitest";
import { fillFacts } from "./operator-facts.ts";

const facts = { company: "Fava Ltd", email: "help@fava.example", address: "1 Street", year: "2026" };

test("[PAGE-4] the operator's facts stand in the texts, the e-mail address as a link", () => {
  expect(fillFacts("{company}: write to {email}.", facts)).toEqual([
    { text: "Fava Ltd", kind: "fact" },
    { text: ": write to ", kind: "words" },
    { text: "help@fava.example", kind: "email" },
    { text: ".", kind: "words" },
  ]);
  expect(fillFacts("© {year} {other}", facts).map((run) => run.text)).toEqual(["© ", "2026", " {other}"]);
});
