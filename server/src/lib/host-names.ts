/**
 * Whether the host name of a URL is in the list. `*.` before a name stands for every host under it, not for the name
 * itself. A URL may have empty labels, as in `https://.push.apple.com`, which no host has.
 */
export function isHostOf(hostname: string, allowed: readonly string[]): boolean {
  if (hostname.split(".").includes("")) return false;
  return allowed.some((name) => (name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name));
}
