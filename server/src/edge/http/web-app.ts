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
import { type InlineHashes, isEndpointPath, isSecure, pagePolicy } from "./security-headers.ts";

/** Further pages of the web app, for single users or staff; excluded from search engines. */
const privatePaths = [
  "/chargeReturn",
  "/admin",
  "/admin/live",
  "/admin/figures",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/reportReview/appeals",
  "/reportReview/texts",
  "/reportReview/notices",
  "/reportReview/figures",
  "/reportReview/shift",
  "/appeal",
  "/404",
] as const;

interface WebAppOptions extends PageFacts {
  directory: string;
  /** Our own origin for browsers; null: taken from each request. */
  publicOrigin: string | null;
  contentHosts: readonly ContentHosts[];
}

/** Serves the built web app, and answers all unknown paths. */
export async function serveWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const pages = await WebPages.read(options.directory, options);
  if (pages) {
    await app.register(fastifyStatic, {
      root: options.directory,
      // One route for each existing file: no URL ever becomes a file path.
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

/** A regular expression would retry at every slash of a long run. */
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
    reply.header(
      "content-security-policy",
      pagePolicy(contentHosts, { inline: packed.inline, isSecure: isSecure(request) }),
    );
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

/** A page excluded from search engines: a private or unknown one. */
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

/** Browsers accept HTML when they navigate; a missing script or picture must not return a page. */
function isPageRequest(request: FastifyRequest, path: string): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const acceptsHtml = /text\/html|\*\/\*/.test(request.headers.accept ?? "*/*");
  return isRead && acceptsHtml && !/\.[A-Za-z\d]+$/.test(path);
}

function cachingOf(path: string, directory: string): string {
  const isHashed = path.startsWith(join(directory, "assets"));
  // The service worker controls every later visit: no proxy may cache it.
  if (path.replace(/\.(?:br|gz)$/, "") === join(directory, workerPath)) return "no-cache";
  return isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}

/** Public pages, as in `web/src/features/pages/indexed-pages.ts`; most requested first. */
const openPaths = [
  "/",
  "/safety",
  "/notice",
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

type PackedPage = Readonly<Record<"identity" | "gzip" | "br", Buffer>> & { readonly inline: InlineHashes };

interface KeptPage {
  page: Promise<PackedPage>;
  /** Compressed at the highest quality, or about to be. */
  isBest: boolean;
}

export interface PageFacts {
  /** Public key in the page: browsers sign their first requests with it. */
  appKey: string;
  operator: Readonly<Record<"company" | "email" | "address", string>>;
  languages: readonly string[];
  loginTypes: readonly LoginType[];
  /** Name of the operator's translator; empty for none. */
  translator: string;
}

/** Public pages have a file for each language (`web/vite/prerendered.ts`). The cache is for one origin at a time. */
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

  get found(): readonly FoundPage[] {
    return [...this.#written].map(([path, languages]) => ({ path, languages: [...languages.keys()] }));
  }

  plain(): Promise<PackedPage> {
    return this.#keep("plain", () => this.#plain);
  }

  /** A page in one of its languages, or in English. */
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

  /** Improves compression for later visitors: bytes above the initial congestion window cost a round trip. */
  #improve(known: KeptPage, make: () => WrittenPage): void {
    known.isBest = true;
    const better = pack(make(), packing.best);
    better.then(
      () => (known.page = better),
      // The existing compression stays.
      () => undefined,
    );
  }
}

function writtenPage(html: string, facts: PageFacts): WrittenPage {
  return { html: filled(html, facts), inline: inlineHashes(html) };
}

function filled(html: string, { appKey, operator, languages, loginTypes, translator }: PageFacts): string {
  return (
    html
      .replace("{languages}", languages.join(" "))
      .replace("{login-types}", loginTypes.join(" "))
      .replace("{translator}", () => escapedText(translator))
      // The build includes the button of every provider (`web/src/features/session/SocialButtons.tsx`).
      .replaceAll(/<button[^>]* data-login-type="(\d)".*?<\/button>/gs, (button, type: string) =>
        loginTypes.some((loginType) => String(loginType) === type) ? button : "",
      )
      .replace(/(<meta name="app-key" content=")[^"]*"/, (_all, start: string) => `${start}${escapedText(appKey)}"`)
      .replaceAll(/\{(company|email|address)\}/g, (_all, name: keyof PageFacts["operator"]) =>
        escapedText(operator[name].replaceAll("\n", ", ")),
      )
  );
}

/** Brotli qualities: moderate while a visitor waits; the best takes 90 ms of processor time. */
const packing = { first: 6, best: 11 } as const;

async function pack({ html, inline }: WrittenPage, quality: number): Promise<PackedPage> {
  const page = Buffer.from(html);
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [zipped, packed] = await Promise.all([promisify(gzip)(page), promisify(brotliCompress)(page, { params })]);
  return { identity: page, gzip: zipped, br: packed, inline };
}

/** Computed from the built page: nothing that is inserted later may run. */
function inlineHashes(html: string): InlineHashes {
  const hashes = (tag: RegExp) =>
    Array.from(html.matchAll(tag), ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  return { scripts: hashes(/<script>(.*?)<\/script>/gs), styles: hashes(/<style[^>]*>(.*?)<\/style>/gs) };
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** `languages` include English. */
interface FoundPage {
  path: string;
  languages: readonly string[];
}

/** `x-default` is the address for readers of all other languages. */
interface Alternate {
  language: string;
  address: string;
}

/** The plain address uses the browser's language. */
function alternatesOf({ path, languages }: FoundPage, origin: string): readonly Alternate[] {
  const own = languages.map((language) => ({ language, address: origin + languageAddress(path, language) }));
  return [...own, { language: "x-default", address: origin + path }];
}

/** `/sitemap.xml`: every page in every language, each with its alternates. */
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

/** `/robots.txt` allows pages and excludes endpoints. Private pages have a `noindex` header. */
function robotsText(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /sandbox/\nSitemap: ${origin}/sitemap.xml\n`;
}

/** Escapes a text for HTML and XML, also in attributes. */
function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** More than any browser sends. */
const acceptedMax = 32;

/** The language of the address, otherwise the browser's first offered one. */
function pageLanguage(request: FastifyRequest, offered: readonly string[]): string {
  const named = (request.query as Readonly<Record<string, unknown>>)[languageParameter];
  if (typeof named === "string" && offered.includes(named)) return named;
  return pickOffered(acceptedLanguages(request.headers["accept-language"] ?? ""), offered);
}

/** Tags of an `Accept-Language` header by preference, without `*` and excluded ones (`q=0`). */
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
