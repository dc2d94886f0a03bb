import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ContentHosts } from "#ports/identity.ts";

const permissionsPolicy = [
  "camera=(self)",
  "microphone=(self)",
  ...["display-capture", "geolocation", "payment", "usb", "serial", "hid", "midi"].map((name) => `${name}=()`),
  ...["accelerometer", "gyroscope", "magnetometer"].map((name) => `${name}=()`),
].join(", ");

/** Where browsers report what the policy of a page refused. */
export const reportPath = "/reports/csp";

/** Responses of endpoints are data: a browser that renders one as a page must not load or run anything. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Adds the security headers to every response (rule GUARD-20). */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: { production: boolean; hosts: readonly ContentHosts[] },
): void {
  const everywhere = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "cross-origin-resource-policy": "same-origin",
    ...(options.production ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
  const page = (isSecure: boolean) => ({
    ...everywhere,
    ...(isSecure ? { "reporting-endpoints": `csp="${reportPath}"` } : {}),
    "content-security-policy": pagePolicy(options.hosts, { isSecure }),
    "permissions-policy": permissionsPolicy,
  });
  const [securePage, plainPage] = [page(true), page(false)];
  const data = { ...everywhere, "content-security-policy": dataPolicy, "cache-control": "no-store" };
  app.addHook("onRequest", (request, reply, done) => {
    if (isEndpointPath(request)) reply.headers(data);
    else reply.headers(isSecure(request) ? securePage : plainPage);
    done();
  });
}

/** Whether the browser received the page over TLS, by our own connection or by what a trusted proxy says. */
export function isSecure({ protocol }: Pick<FastifyRequest, "protocol">): boolean {
  return protocol === "https";
}

/** Endpoints are under `/api`, and by POST under `/admin`, whose GET is a page. */
export function isEndpointPath({ url, method }: Pick<FastifyRequest, "url" | "method">): boolean {
  const path = url.split("?", 1)[0] ?? "";
  return path === "/api" || path.startsWith("/api/") || (method === "POST" && path.startsWith("/admin/"));
}

/** CSP source expressions of inline texts: `'sha256-…'` (source: CSP level 3, section 2.3.1). */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** What a page may load and run: our own files, those of the sign-in providers, and intended inline texts. */
export function pagePolicy(
  hosts: readonly ContentHosts[],
  { inline = { scripts: [], styles: [] }, isSecure }: { inline?: InlineHashes; isSecure: boolean },
): string {
  const self = (...kinds: (readonly string[] | undefined)[]) =>
    ["'self'", ...kinds.flatMap((kind) => kind ?? [])].join(" ");
  return [
    "default-src 'self'",
    `script-src ${self(inline.scripts, ...hosts.map(({ script }) => script))}`,
    `style-src ${self(inline.styles, ...hosts.map(({ style }) => style))}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    `connect-src ${self(...hosts.map(({ connect }) => connect))}`,
    `frame-src ${self(...hosts.map(({ frame }) => frame))}`,
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `report-uri ${reportPath}`,
    // Without TLS, Chromium would send no report at all: it ignores the endpoints, and `report-uri` beside `report-to`.
    ...(isSecure ? ["report-to csp"] : []),
  ].join("; ");
}
