import type { RefCallback } from "react";

/** As a `ref` inside the log: when the element is removed while it has the focus, the log takes it. */
export const leaveFocusToLog: RefCallback<HTMLElement> = (element) => () => {
  if (element?.contains(document.activeElement))
    element.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
};
