import type { LoginType } from "@fava/wire/people.ts";

/** The three providers in the specification's order, none above another; brand names are the same in every language. */
export const providerNames = [
  { loginType: 1, provider: "google", name: "Google" },
  { loginType: 2, provider: "facebook", name: "Facebook" },
  { loginType: 3, provider: "apple", name: "Apple" },
] as const satisfies readonly { loginType: LoginType; provider: string; name: string }[];
