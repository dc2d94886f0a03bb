import { useEffect } from "react";

/** polite: after the current speech. assertive: at once, for errors. */
export type Urgency = "polite" | "assertive";

/**
 * Screen readers read a line when it appears. A line that stayed would only disturb users who walk through the page.
 */
const lineMs = 1_000;
const linesMax = 8;

/**
 * Announces something to screen readers only. The page has one live region per urgency in `index.html`, which exists
 * before its first text and outside of everything that a dialog makes inert. A repeated text replaces the earlier line,
 * so that it is read again.
 */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const region = document.getElementById(`said-${urgency}`);
  if (!region || text === "") return;
  const same = [...region.children].filter((line) => line.textContent === text);
  for (const line of same) line.remove();
  while (region.childElementCount >= linesMax) region.firstElementChild?.remove();
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  setTimeout(() => line.remove(), lineMs);
}

/** Announces a text whenever it changes; nothing for an empty one. */
export function useAnnounced(text: string, urgency: Urgency = "polite"): void {
  useEffect(() => announce(text, urgency), [text, urgency]);
}
