import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import proxyAddress from "@fastify/proxy-addr";
import { socketPath } from "@fava/wire/socket.ts";

/** Status line of the refusal of an upgrade, or null where it may go on to the hello (rule SOCKET-70). */
export function refusalOf(request: Pick<IncomingMessage, "url" | "headers">): string | null {
  if (request.url?.split("?", 1)[0] !== socketPath) return "404 Not Found";
  return isOwnOrigin(request.headers.origin, request.headers.host) ? null : "403 Forbidden";
}

/** From where an upgrade comes, behind proxies as Fastify reads it of calls: `X-Forwarded-For` of trusted ones alone. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, isTrusted);
}

/** Answers an upgrade without opening a socket. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  // The other end may have reset the connection already; there is nobody to tell.
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Only pages of this host itself may open the socket. Programs send no origin and have no cookies or other standing
 * rights here, so they may go on.
 */
function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  // Parsing our own host with the page's scheme forgives a default port that only one of the two spells out.
  const own = `${page.protocol}//${host}`;
  return URL.canParse(own) && page.host !== "" && new URL(own).host === page.host;
}
