import { mobileWidthPx } from "@fava/wire/limits.ts";

/** What a sign-in says of where it comes from: 1 a desktop, 2 another. */
export function signInSource(): 1 | 2 {
  return window.matchMedia(`(min-width: ${mobileWidthPx}px)`).matches ? 1 : 2;
}
