/**
 * Events that no part of the page handles. Browsers fire them several times a second during a call or a search, with
 * each touch, or when a video gets another stream.
 */
export const unheardEvents = [
  "timeupdate",
  "animationstart",
  "animationiteration",
  "animationend",
  "transitionrun",
  "transitionstart",
  "transitionend",
  "mouseover",
  "mouseout",
  "gotpointercapture",
  "lostpointercapture",
  "loadstart",
  "loadedmetadata",
  "durationchange",
  "canplay",
  "canplaythrough",
  "emptied",
  "volumechange",
] as const;

/**
 * Keeps these events from React. It listens to them on every video and on its root, and each time looks for handlers in
 * all components above the target, which is work in the middle of a match.
 */
export function ignoreUnheardEvents(): void {
  for (const type of unheardEvents) window.addEventListener(type, stop, { capture: true });
}

function stop(event: Event): void {
  event.stopPropagation();
}
