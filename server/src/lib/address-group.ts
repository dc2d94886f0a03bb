import ipaddr from "ipaddr.js";

/** The key under which rate limits count an IP address: IPv6 by its /64, which belongs to one household. */
export function addressGroup(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(":")}/64` : parsed.toString();
}
