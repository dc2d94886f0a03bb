import { countryByCode } from "@fava/wire/countries.ts";
import { helpLinesMax } from "@fava/wire/limits.ts";
import type { EnvReader } from "#env-reader.ts";
import type { HelpLine } from "#ports/settings.ts";

const form = "COUNTRY|name|phone|page, with * for everywhere";

/**
 * Reads HELP_LINES: `COUNTRY|name|phone|page`, separated by semicolons. Phone or page may be empty, not both
 * (rule PAGE-44).
 */
export function readHelpLines(env: EnvReader): readonly HelpLine[] {
  const entries = env.text("HELP_LINES", "").split(";");
  const lines = entries.filter((entry) => entry.trim() !== "");
  if (lines.length > helpLinesMax) env.problem(`HELP_LINES names more than ${helpLinesMax}`);
  return lines.flatMap((entry) => {
    const line = readLine(entry);
    if (!line) env.problem(`HELP_LINES: "${entry.trim()}" is not ${form}`);
    return line ?? [];
  });
}

function readLine(entry: string): HelpLine | null {
  const [code = "", name = "", phone = "", url = "", ...more] = entry.split("|").map((part) => part.trim());
  const country = countryByCode(code);
  const isPlace = code === "*" || country !== undefined;
  const isReached = /^\+?[\d ()-]{2,24}$/.test(phone) || (phone === "" && url !== "");
  const isPage = url === "" || (URL.canParse(url) && new URL(url).protocol === "https:");
  if (!isPlace || name === "" || !isReached || !isPage || more.length > 0) return null;
  return { countryId: country?.id ?? null, name, phone, url };
}
