import { mobileQuery } from "#lib/use-media-query.ts";

export function isPhone(): boolean {
  return window.matchMedia(mobileQuery).matches;
}

/** On a phone nobody looks at a hidden page, and its camera is likely to stand still (rule CALL-13). */
export function isHiddenPhone(): boolean {
  return document.hidden && isPhone();
}
