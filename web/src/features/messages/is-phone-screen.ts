import { mobileQuery } from "#lib/use-media-query.ts";

/** Whether list and thread stand one after the other now. */
export function isPhoneScreen(): boolean {
  return window.matchMedia(mobileQuery).matches;
}
