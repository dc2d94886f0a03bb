import { mobileWidthPx } from "@fava/wire/limits.ts";

/** The source of a sign-in: 1 a desktop, 2 another device. */
export function signInSource(): 1 | 2 {
  return window.matchMedia(`(min-width: ${mobileWidthPx}px)`).matches ? 1 : 2;
}
