import { basename } from "node:path";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

/** Compiles one text for `@lingui/core`. @throws for broken ICU syntax */
export const compileText = compileMessageOrThrow;

/**
 * First parts of the keys that only lazily loaded parts of the page use. Their texts are loaded with the first of
 * those, so that the home screen does not wait for them; `tools/size-gate.ts` finds keys that it would need at once.
 */
const laterAreas = new Set(
  [
    ["admin", "age", "ban", "birth", "call", "cap", "covered", "denied", "device", "gender", "kick", "low", "meter"],
    ["page", "pay", "perm", "ranOut", "receipt", "reconnect", "return", "rules", "search", "shop", "statement"],
    [
      "topUp",
      "withdraw",
      "msg",
      "people",
      "find",
      "other",
      "report",
      "profile",
      "photo",
      "crop",
      "account",
      "ageCheck",
      "comeBack",
      "talk",
      "notify",
      "ring",
      "options",
      "asked",
      "finishHydration",
      "loop",
      "camera",
    ],
    [
      "refused",
      "reason",
      "desk",
      "evidence",
      "disputed",
      "appeal",
      "ended",
      "shield",
      "panic",
      "paused",
      "quality",
      "network",
      "transparency",
      "notice",
      "authority",
      "statementOf",
      "safety",
      "found",
      "unsupported",
      "translate",
      "translated",
      "reaction",
      "kind",
    ],
  ].flat(),
);

const otherParts = ["later", "questions", "choices"] as const;

/** Areas of the server, which reads the catalogs itself: no page loads them. */
const serverAreas = new Set(["export", "official"]);

/**
 * The part of a catalog that contains a key: `first` is loaded with the home screen, `questions` with a call, `choices`
 * with the first two-choice question of a call.
 */
export function partOf(key: string): "first" | "later" | "questions" | "choices" | "server" {
  const area = areaOf(key);
  if (serverAreas.has(area)) return "server";
  if (area === "ask") return "questions";
  if (area === "either") return "choices";
  return laterAreas.has(area) ? "later" : "first";
}

function areaOf(key: string): string {
  return key.split(".", 1)[0] ?? "";
}

/**
 * Compiles `locales/<lang>.json` on import: from JSON with ICU texts to a module with the token lists that
 * `@lingui/core` formats, so that the parser never reaches the browser. `?first` and the `otherParts` are its parts;
 * the first imports the others, so that the page needs one address per language.
 */
export function compiledMessages(): Plugin {
  return {
    name: "fava:compiled-messages",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]locales[\\/][\w-]+\.json\?(?:first|later|questions|choices)$/ },
      handler(source, id) {
        const texts = Object.entries(JSON.parse(source) as Record<string, string>);
        const part = id.slice(id.lastIndexOf("?") + 1);
        const compiled = Object.fromEntries(
          texts.filter(([key]) => partOf(key) === part).map(([key, text]) => [key, compileText(text)]),
        );
        // Browsers parse a JSON string faster than the same object as script.
        const messages = `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))});`;
        const name = basename(id).replace("?first", "");
        const others = otherParts.map((other) => `export const ${other} = () => import("./${name}?${other}");`);
        return { code: part === "first" ? [messages, ...others].join("\n") : messages, map: null };
      },
    },
  };
}
