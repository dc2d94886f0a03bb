import { mobileQuery } from "#lib/use-media-query.ts";

function isPhone(): boolean {
  return window.matchMedia(mobileQuery).matches;
}

/**
 * A phone whose page is hidden: the user does not see it, and the browser usually suspends its camera (rule CALL-13).
 */
export function isHiddenPhone(): boolean {
  return document.hidden && isPhone();
}

/** Whether the user cannot see the call: the page is hidden, and no picture-in-picture window shows it. */
export function isAway(): boolean {
  return document.hidden && !document.pictureInPictureElement;
}
