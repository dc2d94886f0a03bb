import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

/** Each of them is set by a proxy, and by no program that asks this server directly. */
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

/** Whether the address is one of this machine's own, as `127.0.0.1`. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === "loopback";
}

/** Whether a proxy sent the request: behind a proxy on this machine everybody has an address of this machine. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}
