import type { LoginType } from "@fava/wire/people.ts";

/** In the specification's order, none above another; brand names are the same in every language. */
const providerNames = [
  { loginType: 1, provider: "google", name: "Google" },
  { loginType: 2, provider: "facebook", name: "Facebook" },
  { loginType: 3, provider: "apple", name: "Apple" },
] as const satisfies readonly { loginType: LoginType; provider: string; name: string }[];

/** What this installation signs people in with; the server has written it into the page (`server/src/http/web-app.ts`). */
export function offeredProviders(): readonly (typeof providerNames)[number][] {
  if (typeof document === "undefined") return providerNames;
  const told = document.querySelector('meta[name="login-types"]')?.getAttribute("content")?.split(" ") ?? [];
  const offered = providerNames.filter(({ loginType }) => told.includes(String(loginType)));
  // Vite's own server fills nothing in.
  return offered.length === 0 ? providerNames : offered;
}
