import type { MeetPerson } from "#features/people/rematch.ts";
import { tellMissingPart } from "#lib/missing-part.ts";
import { ChunkLoadError } from "#ui/lazy-with-timeout.ts";
import { loadOnce } from "./load-once.ts";

// Not part of the first load: it comes once the page stands (`at-home.ts`), or with the first press on Start.
const loadSteps = loadOnce(() => import("#app/start-steps.ts"));

let running: Promise<void> | null = null;
/** Who is to be met in place of what runs, once that has ended. */
let next: MeetPerson | null = null;

/**
 * What Start does, one step after the other: sign-in, birthday and gender, camera and microphone, the safety rules; then
 * the search. A step that the person closes ends it, without blame. A second press while it runs does nothing. With
 * `meet` the search is for that one person, and what runs makes way for it: of several the last one counts (rule HOME-16).
 */
export async function startFlow(meet?: MeetPerson): Promise<void> {
  if (running && !meet) return;
  if (meet) next = meet;
  while (running) {
    await Promise.allSettled([running]);
    if (next !== meet) return;
  }
  if (meet) next = null;
  running = takeSteps(meet).finally(() => (running = null));
  await running;
}

async function takeSteps(meet: MeetPerson | undefined): Promise<void> {
  try {
    const steps = await loadSteps();
    await steps.takeSteps(meet, () => next !== null);
  } catch (error) {
    if (!(error instanceof ChunkLoadError)) throw error;
    tellMissingPart();
  }
}

/** Asks a new user for birthday and gender; where that does not load, Start asks. */
export function askForProfile(): Promise<void> {
  return unlessMissing(async () => void (await (await loadSteps()).completeProfile()));
}

/** What Start needs is loaded before it is pressed, so that a press opens the camera in its own turn (rule CALL-103). */
export function readyStart(): Promise<void> {
  return unlessMissing(async () => void (await (await loadSteps()).loadParts()));
}

/** The steps alone, for people who may never press it. */
export function readySteps(): Promise<void> {
  return unlessMissing(async () => void (await loadSteps()));
}

/** A part that does not come is no news: the press tries again, and tells of it. */
async function unlessMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ChunkLoadError)) throw error;
  }
}
