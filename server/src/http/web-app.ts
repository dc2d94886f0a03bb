import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendUnknownCall } from "./envelope.ts";

/** Addresses that the web app answers itself; any other page address is HTTP 404. */
const pagePaths = [
  "/",
  "/chargeReturn",
  "/admin",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/reportReview/appeals",
  "/reportReview/figures",
  "/appeal",
  "/transparency",
  "/safety",
  "/accessibility",
  "/privacyPolicy",
  "/userAgreement",
  "/communityRules",
  "/aboutUs",
  "/404",
] as const;

export interface WebAppOptions {
  /** Absolute path of the built web app. */
  directory: string;
  /** Written into the page, since browsers sign their first calls with it. */
  appKey: string;
}

/** Serves the built web app and answers every address that nothing else answers (rule GUARD-27). */
export async function serveWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const index = await readIndex(options);
  if (index) {
    await app.register(fastifyStatic, {
      root: options.directory,
      // A route for each file that is there: no address ever becomes a path.
      wildcard: false,
      globIgnore: ["index.html", "**/*.br", "**/*.gz"],
      index: false,
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header("cache-control", cachingOf(path, options.directory)),
    });
    for (const path of pagePaths) app.get(path, (request, reply) => sendIndex(request, reply, index));
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (path === "/api" || path.startsWith("/api/")) return sendUnknownCall(reply);
    reply.code(404);
    if (index && isPageRequest(request, path)) return sendIndex(request, reply, index);
    return reply.type("text/plain; charset=utf-8").send(index ? "Not found" : "Not found: the web app is not built");
  });
}

/** The page as it is, and as browsers like it best. */
type Index = Readonly<Record<"identity" | "gzip" | "br", Buffer>>;

async function readIndex({ directory, appKey }: WebAppOptions): Promise<Index | null> {
  const html = await readFile(join(directory, "index.html"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (html === null) return null;
  const page = Buffer.from(
    html.replace(/(<meta name="app-key" content=")[^"]*"/, (_all, start: string) => `${start}${escaped(appKey)}"`),
  );
  const [zipped, packed] = await Promise.all([promisify(gzip)(page), promisify(brotliCompress)(page)]);
  return { identity: page, gzip: zipped, br: packed };
}

function sendIndex(request: FastifyRequest, reply: FastifyReply, index: Index): FastifyReply {
  const accepted = request.headers["accept-encoding"] ?? "";
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : "identity";
  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply
    .type("text/html; charset=utf-8")
    .header("vary", "accept-encoding")
    .header("cache-control", "no-cache")
    .send(index[encoding]);
}

/** Browsers that navigate accept HTML; a missing script or picture must not be answered with a page. */
function isPageRequest(request: FastifyRequest, path: string): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const acceptsHtml = /text\/html|\*\/\*/.test(request.headers.accept ?? "*/*");
  return isRead && acceptsHtml && !/\.[A-Za-z\d]+$/.test(path);
}

function cachingOf(path: string, directory: string): string {
  const isHashed = path.startsWith(join(directory, "assets"));
  return isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
