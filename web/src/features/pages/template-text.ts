import { fillFacts, type Facts } from "./operator-facts.ts";

/** What to write, with the account that was given, or room for it. */
export function templateText(template: string, facts: Facts, number: string): string {
  return fillFacts(template, { ...facts, number })
    .map(({ text }) => text)
    .join("");
}
