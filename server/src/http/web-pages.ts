import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { LoginType } from "@fava/wire/people.ts";
import { escapedText } from "./escaped-text.ts";
import type { InlineHashes } from "./security-headers.ts";
import { alternatesOf, type FoundPage } from "./site-map.ts";

/** The pages that everybody may read, as `web/src/lib/found-pages.ts` has them; the most wanted first. */
const openPaths = [
  "/",
  "/safety",
  "/aboutUs",
  "/communityRules",
  "/transparency",
  "/userAgreement",
  "/privacyPolicy",
  "/accessibility",
] as const;

interface WrittenPage {
  readonly html: string;
  readonly inline: InlineHashes;
}

/** A page as it is, and as browsers like it best, with the hashes of what the build put into it. */
export type PackedPage = Readonly<Record<"identity" | "gzip" | "br", Buffer>> & { readonly inline: InlineHashes };

/** What the server knows and the build does not. */
export interface PageFacts {
  /** Written into the page, since browsers sign their first calls with it. */
  appKey: string;
  operator: Readonly<Record<"company" | "email" | "address", string>>;
  /** Languages on offer. */
  languages: readonly string[];
  /** Providers that people can sign in with. */
  loginTypes: readonly LoginType[];
}

/**
 * The built pages: those that are written once a language (`web/vite/prerendered.ts`), and the plain one for all others.
 * Packed pages are kept for one origin at a time, which is all that there is in production.
 */
export class WebPages {
  readonly #plain: WrittenPage;
  /** Pages by path, then by language. */
  readonly #written: ReadonlyMap<string, ReadonlyMap<string, WrittenPage>>;
  readonly #packed = new Map<string, Promise<PackedPage>>();
  #origin = "";

  private constructor(plain: WrittenPage, written: ReadonlyMap<string, ReadonlyMap<string, WrittenPage>>) {
    this.#plain = plain;
    this.#written = written;
  }

  /** Null where the web app is not built. */
  static async read(directory: string, facts: PageFacts): Promise<WebPages | null> {
    const plain = await readFile(join(directory, "index.html"), "utf8").catch(nullWhereMissing);
    if (plain === null) return null;
    const written = new Map(openPaths.map((path) => [path, new Map<string, WrittenPage>()]));
    for (const [path, languages] of written) {
      for (const language of facts.languages) {
        const file = join(directory, "pages", language, `${path === "/" ? "index" : path.slice(1)}.html`);
        const html = await readFile(file, "utf8").catch(nullWhereMissing);
        if (html !== null) languages.set(language, writtenPage(html, facts));
      }
    }
    return new WebPages(writtenPage(plain, facts), written);
  }

  /** The pages that are to be found, each with the languages that it is written in. */
  get found(): readonly FoundPage[] {
    return [...this.#written].map(([path, languages]) => ({ path, languages: [...languages.keys()] }));
  }

  /** The plain page, which is nobody's in particular. */
  plain(): Promise<PackedPage> {
    return this.#keep("plain", () => this.#plain);
  }

  /** A page in a language that `found` names, or in English. */
  page({ path, languages }: FoundPage, language: string, origin: string): Promise<PackedPage> {
    if (origin !== this.#origin) this.#packed.clear();
    this.#origin = origin;
    return this.#keep(`${language} ${path}`, () => {
      const { html, inline } = this.#written.get(path)?.get(language) ?? this.#plain;
      const alternates = alternatesOf({ path, languages }, origin).map(
        (one) => `<link rel="alternate" hreflang="${one.language}" href="${escapedText(one.address)}" />`,
      );
      const whole = html
        .replaceAll("{origin}", () => escapedText(origin))
        .replace("<!--alternates-->", () => alternates.join("\n    "));
      return { html: whole, inline };
    });
  }

  #keep(name: string, make: () => WrittenPage): Promise<PackedPage> {
    const known = this.#packed.get(name);
    if (known) return known;
    const packed = pack(make());
    this.#packed.set(name, packed);
    return packed;
  }
}

function writtenPage(html: string, facts: PageFacts): WrittenPage {
  return { html: filled(html, facts), inline: inlineHashes(html) };
}

function filled(html: string, { appKey, operator, languages, loginTypes }: PageFacts): string {
  return (
    html
      .replace("{languages}", languages.join(" "))
      .replace("{login-types}", loginTypes.join(" "))
      // Buttons that the build has written for every provider there is (`web/src/features/session/SocialButtons.tsx`).
      .replaceAll(/<button[^>]* data-login-type="(\d)".*?<\/button>/gs, (button, type: string) =>
        loginTypes.some((loginType) => String(loginType) === type) ? button : "",
      )
      .replace(/(<meta name="app-key" content=")[^"]*"/, (_all, start: string) => `${start}${escapedText(appKey)}"`)
      .replaceAll(/\{(company|email|address)\}/g, (_all, name: keyof PageFacts["operator"]) =>
        escapedText(operator[name].replaceAll("\n", ", ")),
      )
  );
}

async function pack({ html, inline }: WrittenPage): Promise<PackedPage> {
  const page = Buffer.from(html);
  // Middling: while the first visitor waits, the last per cent is not worth its time.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  const [zipped, packed] = await Promise.all([promisify(gzip)(page), promisify(brotliCompress)(page, { params })]);
  return { identity: page, gzip: zipped, br: packed, inline };
}

/** Of the page as it was built: nothing that is filled in later is ever allowed to run. */
function inlineHashes(html: string): InlineHashes {
  const hashes = (tag: RegExp) =>
    Array.from(html.matchAll(tag), ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return { scripts: hashes(/<script>(.*?)<\/script>/gs), styles: hashes(/<style>(.*?)<\/style>/gs) };
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
