/** `*.name` matches every host under it. No host has an empty label, as in `https://.push.apple.com`. */
export function isHostOf(hostname: string, allowed: readonly string[]): boolean {
  if (hostname.split(".").includes("")) return false;
  return allowed.some((name) => (name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name));
}
