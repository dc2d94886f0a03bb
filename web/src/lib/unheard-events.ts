/** No part of the page handles these. Browsers fire them several times a second during a call or a search. */
export const unheardEvents = [
  "timeupdate",
  "animationstart",
  "animationiteration",
  "animationend",
  "transitionrun",
  "transitionstart",
  "transitionend",
] as const;

/**
 * Keeps these events from React, which listens to them on every video and on its root, and looks each time through all
 * components above the target: a tenth of the page's work in a call.
 */
export function ignoreUnheardEvents(): void {
  for (const type of unheardEvents) window.addEventListener(type, stop, { capture: true });
}

function stop(event: Event): void {
  event.stopPropagation();
}
