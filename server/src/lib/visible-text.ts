import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import { badInput, refused } from "./errors.ts";

/**
 * A text that people will read, with its marks limited.
 *
 * @throws EndpointError 400 with the field where nothing is written; 406 `invisible_text` where nobody can see it.
 */
export function visibleText(text: string, field: string): string {
  if (text.trim() === "") throw badInput("nothing is left of the text", field);
  if (!hasVisibleSign(text)) throw refused("invisible_text", { field });
  return limitMarks(text);
}
