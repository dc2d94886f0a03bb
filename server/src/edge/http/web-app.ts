import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { workerPath } from "@fava/wire/installed-app.ts";
import { languageAddress, languageParameter, pickOffered } from "@fava/wire/languages.ts";
import type { LoginType } from "@fava/wire/people.ts";
import type { ContentHosts } from "#ports/identity.ts";
import { sendUnknownEndpoint } from "./error-handler.ts";
import { type InlineHashes, isEndpointPath, pagePolicy } from "./security-headers.ts";

/** Further addresses that the web app answers itself: pages of one person, or of few. They are not to be found. */
const privatePaths = [
  "/chargeReturn",
  "/admin",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/reportReview/appeals",
  "/reportReview/texts",
  "/reportReview/figures",
  "/appeal",
  "/404",
] as const;

interface WebAppOptions extends PageFacts {
  /** Absolute path of the built web app. */
  directory: string;
  /** Our own origin as browsers reach it; null: the one each request names. */
  publicOrigin: string | null;
  contentHosts: readonly ContentHosts[];
}

/** Serves the built web app and answers every address that nothing else answers. */
export async function serveWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const pages = await WebPages.read(options.directory, options);
  if (pages) {
    await app.register(fastifyStatic, {
      root: options.directory,
      // A route for each file that is there: no address ever becomes a path.
      wildcard: false,
      globIgnore: ["index.html", "pages/**", "robots.txt", "**/*.br", "**/*.gz"],
      index: false,
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header("cache-control", cachingOf(path, options.directory)),
    });
    servePages(app, pages, options);
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (isEndpointPath(request)) return sendUnknownEndpoint(reply);
    const plain = withoutLastSlashes(path);
    if (plain !== path && app.hasRoute({ method: "GET", url: plain })) {
      return reply.redirect(plain + request.url.slice(path.length), 301);
    }
    reply.code(404);
    if (pages && isPageRequest(request, path)) return sendPlain(request, reply, pages);
    return reply.type("text/plain; charset=utf-8").send(pages ? "Not found" : "Not found: the web app is not built");
  });
}

/** By hand, because an expression tries anew from every slash of a long row. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function servePages(app: FastifyInstance, pages: WebPages, { publicOrigin, contentHosts }: WebAppOptions): void {
  const originOf = (request: FastifyRequest) => publicOrigin ?? `${request.protocol}://${request.host}`;
  const sendFound = async (request: FastifyRequest, reply: FastifyReply, page: FoundPage) => {
    const language = pageLanguage(request, page.languages);
    const packed = await pages.page(page, language, originOf(request));
    reply.header("content-language", language);
    reply.header("content-security-policy", pagePolicy(contentHosts, packed.inline));
    return send(request, reply, packed);
  };
  const found = pages.found;
  for (const page of found) app.get(page.path, (request, reply) => sendFound(request, reply, page));
  for (const path of privatePaths) app.get(path, (request, reply) => sendPlain(request, reply, pages));
  app.get("/sitemap.xml", (request, reply) =>
    reply.type("application/xml; charset=utf-8").send(siteMap(found, originOf(request))),
  );
  app.get("/robots.txt", (request, reply) =>
    reply.type("text/plain; charset=utf-8").send(robotsText(originOf(request))),
  );
}

/** A page that is not to be found: a private one, or one that does not exist. */
async function sendPlain(request: FastifyRequest, reply: FastifyReply, pages: WebPages): Promise<FastifyReply> {
  reply.header("x-robots-tag", "noindex");
  return send(request, reply, await pages.plain());
}

function send(request: FastifyRequest, reply: FastifyReply, page: PackedPage): FastifyReply {
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply
    .type("text/html; charset=utf-8")
    .header("vary", "accept-encoding, accept-language")
    .header("cache-control", "no-cache")
    .send(page[encoding]);
}

/** Browsers that navigate accept HTML; a missing script or picture must not be answered with a page. */
function isPageRequest(request: FastifyRequest, path: string): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const acceptsHtml = /text\/html|\*\/\*/.test(request.headers.accept ?? "*/*");
  return isRead && acceptsHtml && !/\.[A-Za-z\d]+$/.test(path);
}

/** @param path of what is sent, packed or not */
function cachingOf(path: string, directory: string): string {
  const isHashed = path.startsWith(join(directory, "assets"));
  // The worker decides over every later visit: nobody in between may keep it.
  if (path.replace(/\.(?:br|gz)$/, "") === join(directory, workerPath)) return "no-cache";
  return isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}

/** The pages that everybody may read, as `web/src/features/pages/indexed-pages.ts` has them; the most wanted first. */
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
type PackedPage = Readonly<Record<"identity" | "gzip" | "br", Buffer>> & { readonly inline: InlineHashes };

interface KeptPage {
  page: Promise<PackedPage>;
  /** Packed as well as can be, or about to be. */
  isBest: boolean;
}

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
class WebPages {
  readonly #plain: WrittenPage;
  /** Pages by path, then by language. */
  readonly #written: ReadonlyMap<string, ReadonlyMap<string, WrittenPage>>;
  readonly #packed = new Map<string, KeptPage>();
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
    if (known) {
      if (!known.isBest) this.#improve(known, make);
      return known.page;
    }
    const packed = { page: pack(make(), packing.first), isBest: false };
    this.#packed.set(name, packed);
    return packed.page;
  }

  /** For whoever comes after the second visitor: a byte over the first flight costs a round trip. */
  #improve(known: KeptPage, make: () => WrittenPage): void {
    known.isBest = true;
    const better = pack(make(), packing.best);
    better.then(
      () => (known.page = better),
      // The page as it is does as well.
      () => undefined,
    );
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

/** Of Brotli: middling while a visitor waits for it; the best takes 90 ms of a processor. */
const packing = { first: 6, best: 11 } as const;

async function pack({ html, inline }: WrittenPage, quality: number): Promise<PackedPage> {
  const page = Buffer.from(html);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [zipped, packed] = await Promise.all([promisify(gzip)(page), promisify(brotliCompress)(page, { params })]);
  return { identity: page, gzip: zipped, br: packed, inline };
}

/** Of the page as it was built: nothing that is filled in later is ever allowed to run. */
function inlineHashes(html: string): InlineHashes {
  const hashes = (tag: RegExp) =>
    Array.from(html.matchAll(tag), ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return { scripts: hashes(/<script>(.*?)<\/script>/gs), styles: hashes(/<style[^>]*>(.*?)<\/style>/gs) };
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A page that is to be found, with the languages that it is offered in; English is always among them. */
interface FoundPage {
  path: string;
  languages: readonly string[];
}

/** An address of a page for readers of a language; `x-default` is for everybody else. */
interface Alternate {
  language: string;
  address: string;
}

/** Where the page stands in each language, the other languages' readers being sent by what their browser asks for. */
function alternatesOf({ path, languages }: FoundPage, origin: string): readonly Alternate[] {
  const own = languages.map((language) => ({ language, address: origin + languageAddress(path, language) }));
  return [...own, { language: "x-default", address: origin + path }];
}

/** `/sitemap.xml`: every page in every language, each with its others. */
function siteMap(pages: readonly FoundPage[], origin: string): string {
  const entries = pages.flatMap((page) => {
    const alternates = alternatesOf(page, origin);
    const links = alternates.map(
      ({ language, address }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapedText(address)}"/>`,
    );
    return alternates
      .filter(({ language }) => language !== "x-default")
      .map(({ address }) => `<url><loc>${escapedText(address)}</loc>${links.join("")}</url>`);
  });
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${entries.join("\n")}\n</urlset>\n`;
}

/** `/robots.txt`: pages are open, calls are not. Pages that are nobody else's say so themselves, by a header. */
function robotsText(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /sandbox/\nSitemap: ${origin}/sitemap.xml\n`;
}

/** Text for inside HTML or XML, in an attribute as well. */
function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** More than any browser sends. */
const acceptedMax = 32;

/** In which of the offered languages a page is sent: the one its address names, otherwise the browser's. */
function pageLanguage(request: FastifyRequest, offered: readonly string[]): string {
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
