import { useEffect } from "react";

/** polite: after what is being read. assertive: at once, for errors. */
export type Urgency = "polite" | "assertive";

/** Screen readers read a line when it comes; later it would only lie about for whoever walks through the page. */
const lineMs = 1_000;
const linesMax = 8;

/**
 * Says something to screen readers alone. The page has one region of each urgency (`index.html`), there
 * before its first words, outside of everything that a dialog makes inert. The same words are said anew, not twice.
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

/** Says a text each time it becomes another one; nothing for an empty one. */
export function useSaid(text: string, urgency: Urgency = "polite"): void {
  useEffect(() => announce(text, urgency), [text, urgency]);
}
