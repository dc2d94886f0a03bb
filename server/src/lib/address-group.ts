import ipaddr from "ipaddr.js";

/** Under what an address is counted with its neighbours: IPv6 by its /64, which one household has to itself. */
export function addressGroup(address: string): string {
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(":")}/64` : parsed.toString();
}
