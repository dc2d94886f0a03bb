/**
 * Whether the host name of a URL is one of these. `*.` before a name stands for every host under it, and not for the name
 * itself. A URL may hold empty labels, as in `https://.push.apple.com`: no host has such a name.
 */
export function isHostOf(hostname: string, allowed: readonly string[]): boolean {
  if (hostname.split(".").includes("")) return false;
  return allowed.some((name) => (name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name));
}
