import { hasVisibleSign, limitMarks } from "@fava/wire/visible-text.ts";
import { badInput, refused } from "./errors.ts";

/**
 * The text with its combining marks limited.
 * @throws EndpointError 400 with the field for an empty text; 406 `invisible_text` for one without a visible character.
 */
export function visibleText(text: string, field: string): string {
  if (text.trim() === "") throw badInput("nothing is left of the text", field);
  if (!hasVisibleSign(text)) throw refused("invisible_text", { field });
  return limitMarks(text);
}
