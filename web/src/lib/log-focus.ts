import type { RefCallback } from "react";

/** A `ref` for elements in the log: when an element that has the focus is removed, the log takes the focus. */
export const leaveFocusToLog: RefCallback<HTMLElement> = (element) => () => {
  if (element?.contains(document.activeElement))
    element.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
};
