import { languageParameter, pickOffered } from "@fava/wire/languages.ts";
import type { FastifyRequest } from "fastify";

/** More than any browser sends. */
const acceptedMax = 32;

/** In which of the offered languages a page is sent: the one its address names, otherwise the browser's (rule FOUND-2). */
export function pageLanguage(request: FastifyRequest, offered: readonly string[]): string {
  const named = (request.query as Readonly<Record<string, unknown>>)[languageParameter];
  if (typeof named === "string" && offered.includes(named)) return named;
  return pickOffered(acceptedLanguages(request.headers["accept-language"] ?? ""), offered);
}

/** The language tags of an `Accept-Language` header, the dearest first; `*` and refused ones (`q=0`) are left out. */
export function acceptedLanguages(header: string): readonly string[] {
  return header
    .split(",", acceptedMax)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((word) => word.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
