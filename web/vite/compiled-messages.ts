import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

/** One text as `@lingui/core` reads it. @throws for broken ICU syntax. */
export const compileText = compileMessageOrThrow;

/**
 * Compiles `locales/<lang>.json` while it is imported: JSON with ICU texts in, JSON with the token lists that
 * `@lingui/core` formats out. The parser itself therefore never reaches the browser.
 */
export function compiledMessages(): Plugin {
  return {
    name: "fava:compiled-messages",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]locales[\\/][\w-]+\.json$/ },
      handler(source) {
        const texts = JSON.parse(source) as Record<string, string>;
        const compiled = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compileText(text)]));
        return { code: JSON.stringify(compiled), map: null };
      },
    },
  };
}
