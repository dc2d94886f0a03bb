import type { IncomingHttpHeaders } from "node:http";
import ipaddr from "ipaddr.js";

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

/** Whether the address belongs to this machine, such as `127.0.0.1`. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === "loopback";
}

/** Whether everybody on the internet may reach the address. False for a name, whose address is unknown. */
export function isPublicAddress(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === "unicast";
}

/** Whether a proxy passed the request on. Behind a proxy on this machine, each client has a loopback address. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}
