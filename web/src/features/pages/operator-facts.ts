import { useMemo } from "react";
import { useSettings } from "#lib/settings.ts";
import { toldOperator } from "#lib/told-operator.ts";
import { useContentLanguage } from "./content-language.ts";
import { limitFacts } from "./limit-facts.ts";

/** Facts by the name under which a text has them in braces. */
export type Facts = Readonly<Record<string, string>>;

/** The year in which the page was loaded. */
export const thisYear = String(new Date().getUTCFullYear());

/** Everything that the texts of static pages name, in the language of the text. */
export function useFacts(): Facts {
  const contact = useSettings()?.contact ?? toldOperator();
  const language = useContentLanguage();
  const limits = useMemo(() => limitFacts(language), [language]);
  // Until the settings have arrived, a dash stands where a fact will.
  const { company = "–", email = "–", address = "–" } = contact ?? {};
  return { ...limits, company, email, address: address.replaceAll("\n", ", "), year: thisYear };
}

export type TextRun =
  /** The page's own words, or a limit of the product in them. */
  | { kind: "words"; text: string }
  /** The operator's, in whatever direction it runs. */
  | { kind: "fact"; text: string }
  /** A fact to write to. */
  | { kind: "email"; text: string }
  /** Another page of this product. */
  | { kind: "link"; text: string; to: string };

const marks = /(\{\w+\}|\[[^\]]+\]\(\/[\w/#-]*\))/;
/** Who runs this installation, and the year. */
const operatorNames: ReadonlySet<string> = new Set(["company", "email", "address", "year"]);

/**
 * Puts the facts into a text of a static page, and makes links of `[words](/path)`; names that are no facts stay as
 * they are.
 */
export function fillFacts(text: string, facts: Facts): readonly TextRun[] {
  return text
    .split(marks)
    .filter((part) => part !== "")
    .map((part) => runOf(part, facts));
}

function runOf(part: string, facts: Facts): TextRun {
  const link = /^\[([^\]]+)\]\((\/.*)\)$/.exec(part);
  if (link?.[1] !== undefined && link[2] !== undefined) return { kind: "link", text: link[1], to: link[2] };
  const name = /^\{(\w+)\}$/.exec(part)?.[1] ?? "";
  const fact = facts[name];
  if (fact === undefined) return { kind: "words", text: part };
  if (name === "email") return { kind: "email", text: fact };
  return { kind: operatorNames.has(name) ? "fact" : "words", text: fact };
}
