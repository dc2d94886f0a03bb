import { useSettings } from "#lib/settings.ts";

/** Who runs this installation; static pages name them as `{company}`, `{email}`, `{address}` and `{year}`. */
export type OperatorFacts = Readonly<Record<"company" | "email" | "address" | "year", string>>;

/** The year in which the page was loaded. */
export const thisYear = String(new Date().getUTCFullYear());

export function useOperatorFacts(): OperatorFacts {
  const contact = useSettings()?.contact;
  // Until the settings have arrived, a dash stands where a fact will.
  const { company = "–", email = "–", address = "–" } = contact ?? {};
  return { company, email, address: address.replaceAll("\n", ", "), year: thisYear };
}

export interface TextRun {
  text: string;
  /** words: the page's own. fact: the operator's, in whatever direction it runs. email: a fact to write to. */
  kind: "words" | "fact" | "email";
}

/** Puts the facts into a text of a static page; names that are no facts stay as they are. */
export function fillFacts(text: string, facts: OperatorFacts): readonly TextRun[] {
  return text
    .split(/(\{(?:company|email|address|year)\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{(company|email|address|year)\}$/.exec(part)?.[1] as keyof OperatorFacts | undefined;
      if (name === undefined) return { text: part, kind: "words" };
      return { text: facts[name], kind: name === "email" ? "email" : "fact" };
    });
}
