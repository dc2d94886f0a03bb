import { vi } from "vitest";
import { cleanup } from "vitest-browser-react";
import { putStoresBack } from "#testing/kept-stores.ts";
import { forgetValues } from "#testing/renewed-values.ts";

/**
 * All component tests share one page: a page for each file loaded and compiled everything anew, which cost more than most
 * files' tests. So what a test changes is put back after it, and what cannot be put back fails the test that left it.
 */

type Step = () => void | Promise<void>;
const steps: Step[] = [];

/** To be done after each test from now on, of whichever file; what was asked for last is done first. */
export function afterEachTest(step: Step): void {
  steps.unshift(step);
}

/** Ends what a test has opened and puts back what it has changed; a step that fails keeps no other one from being done. */
export async function putBack(): Promise<void> {
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
  putStoresBack();
  forgetValues();
  localStorage.clear();
  sessionStorage.clear();
  for (const region of speakingRegions()) region.replaceChildren();
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, "a test could not be ended");
}

/** What index.html has beside the root; made where it is missing. */
export function speakingRegions(): readonly HTMLElement[] {
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

/** What a test has left in the page that the next one would meet: elements, and properties in place of the browser's own. */
export function leftBehind(): string[] {
  const regions = speakingRegions();
  const elements = [...document.body.children].filter((element) => !regions.includes(element as HTMLElement));
  return [
    ...elements.map((element) => element.outerHTML.slice(0, 160)),
    ...Object.getOwnPropertyNames(navigator).map((name) => `navigator.${name}`),
    ...Object.getOwnPropertyNames(document)
      .filter((name) => name !== "location" && !name.startsWith("_react"))
      .map((name) => `document.${name}`),
  ];
}
