import { foldText } from "@fava/wire/text-folding.ts";

/** An account number as the user typed it, in ASCII digits and without spaces. */
export function typedNumber(text: string): string {
  return foldText(text).replaceAll(/\s/g, "");
}
