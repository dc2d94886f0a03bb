import { mobileQuery } from "#lib/use-media-query.ts";

function isPhone(): boolean {
  return window.matchMedia(mobileQuery).matches;
}

/** On a phone nobody looks at a hidden page, and its camera is likely to stand still (rule CALL-13). */
export function isHiddenPhone(): boolean {
  return document.hidden && isPhone();
}

/** Nobody sees the call: its page is hidden, and no small window shows it. */
export function isAway(): boolean {
  return document.hidden && !document.pictureInPictureElement;
}
