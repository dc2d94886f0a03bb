import { vi } from "vitest";
import { cleanup } from "vitest-browser-react";
import { resetStores } from "#testing/reset-stores.ts";
import { resetRemoteValues } from "#testing/renewed-values.ts";

/**
 * All component tests share one page, because a page for each file would load and compile everything again, at a higher
 * cost than most files' tests. So what a test changes is restored after it, and what cannot be restored fails its test.
 */

type Step = () => void | Promise<void>;
const steps: Step[] = [];

/** Runs a step after each test from now on, of any file; the last registered runs first. */
export function afterEachTest(step: Step): void {
  steps.unshift(step);
}

/** Ends what a test has opened and restores what it has changed; a step that fails does not stop the others. */
export async function cleanUpTest(): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  await cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  resetStores();
  resetRemoteValues();
  localStorage.clear();
  sessionStorage.clear();
  for (const region of liveRegions()) region.replaceChildren();
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, "cleanup after a test failed");
}

/** The live regions of `index.html`; adds them to the test page if they are missing. */
export function liveRegions(): readonly HTMLElement[] {
  return ["polite", "assertive"].map((urgency) => {
    const present = document.getElementById(`said-${urgency}`);
    if (present) return present;
    const region = Object.assign(document.createElement("div"), {
      id: `said-${urgency}`,
      className: "visually-hidden",
    });
    region.setAttribute("aria-live", urgency);
    document.body.append(region);
    return region;
  });
}

/** What a test has left in the page: elements, and properties that hide the browser's own. */
export function leftovers(): string[] {
  const regions = liveRegions();
  const elements = [...document.body.children].filter((element) => !regions.includes(element as HTMLElement));
  return [
    ...elements.map((element) => element.outerHTML.slice(0, 160)),
    ...Object.getOwnPropertyNames(navigator).map((name) => `navigator.${name}`),
    ...Object.getOwnPropertyNames(document)
      .filter((name) => name !== "location" && !name.startsWith("_react"))
      .map((name) => `document.${name}`),
  ];
}
