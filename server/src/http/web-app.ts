import { join } from "node:path";
import { workerPath } from "@fava/wire/installed-app.ts";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendUnknownCall } from "./envelope.ts";
import { pageLanguage } from "./page-language.ts";
import { type ContentHosts, pagePolicy } from "./security-headers.ts";
import { type FoundPage, robotsText, siteMap } from "./site-map.ts";
import { type PackedPage, type PageFacts, WebPages } from "./web-pages.ts";

/** Further addresses that the web app answers itself: pages of one person, or of few. They are not to be found. */
const privatePaths = [
  "/chargeReturn",
  "/admin",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/reportReview/appeals",
  "/reportReview/figures",
  "/appeal",
  "/404",
] as const;

export interface WebAppOptions extends PageFacts {
  /** Absolute path of the built web app. */
  directory: string;
  /** Our own origin as browsers reach it; null: the one each request names. */
  publicOrigin: string | null;
  contentHosts: readonly ContentHosts[];
}

/** Serves the built web app and answers every address that nothing else answers (rules GUARD-27, FOUND-1). */
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
    if (isCall(request, path)) return sendUnknownCall(reply);
    const plain = withoutLastSlashes(path);
    if (plain !== path && app.hasRoute({ method: "GET", url: plain })) {
      return reply.redirect(plain + request.url.slice(path.length), 301);
    }
    reply.code(404);
    if (pages && isPageRequest(request, path)) return sendPlain(request, reply, pages);
    return reply.type("text/plain; charset=utf-8").send(pages ? "Not found" : "Not found: the web app is not built");
  });
}

/** Calls are made under `/api`, and by POST under `/admin`, whose GET is a page. */
function isCall(request: FastifyRequest, path: string): boolean {
  return path === "/api" || path.startsWith("/api/") || (request.method === "POST" && path.startsWith("/admin/"));
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

/** A page that is not to be found: a private one, or one that does not exist (rule FOUND-5). */
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

function cachingOf(path: string, directory: string): string {
  const isHashed = path.startsWith(join(directory, "assets"));
  // The worker decides over every later visit: nobody in between may keep it.
  if (path === join(directory, workerPath)) return "no-cache";
  return isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}
