import type { MeetPerson } from "#features/people/rematch.ts";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import { ChunkLoadError, noTexts } from "#ui/lazy-with-timeout.ts";
import { loadOnce } from "./load-once.ts";
import { OverlayStack } from "./OverlayHost.tsx";
import type { StartSteps } from "./start-steps.ts";

type LoadSteps = () => Promise<{ startSteps: StartSteps }>;

/**
 * @param load imports the steps, at the first press or once the page is idle (`idle-tasks.ts`): they are not in the first
 * load
 */
export function createStart(load: LoadSteps) {
  const loadSteps = loadOnce(load, noTexts);
  let running: Promise<void> | null = null;
  /** The person to search for once the running steps have ended. */
  let next: MeetPerson | null = null;

  async function takeSteps(meet: MeetPerson | undefined): Promise<void> {
    try {
      const { startSteps } = await loadSteps();
      await startSteps.take(meet, () => next !== null);
    } catch (error) {
      if (!(error instanceof ChunkLoadError)) throw error;
      reportFailedChunk();
    }
  }

  return {
    /**
     * The steps of Start, one after the other: sign-in, birthday and gender, camera and microphone, the safety rules;
     * then the search. A step that the user closes ends it, without a message. A second press meanwhile does nothing.
     * With `meet` the search is for that one person and replaces the running steps: the last one counts.
     */
    startFlow: async (meet?: MeetPerson): Promise<void> => {
      if (running && !meet) return;
      if (meet) next = meet;
      while (running) {
        await Promise.allSettled([running]);
        if (next !== meet) return;
      }
      if (meet) next = null;
      running = takeSteps(meet).finally(() => (running = null));
      await running;
    },

    /** Asks a new user for birthday and gender. If the code for it fails to load, Start asks instead. */
    askForProfile: () => unlessMissing(async () => void (await (await loadSteps()).startSteps.completeProfile())),

    /** Loads what Start needs ahead, so that a press opens the camera in its own turn. */
    readyStart: () => unlessMissing(async () => void (await (await loadSteps()).startSteps.loadParts())),

    /** Loads only the steps, for users who may never press Start. */
    readySteps: () => unlessMissing(async () => void (await loadSteps())),
  };
}

export const { startFlow, askForProfile, readyStart, readySteps } = createStart(async () => {
  // The first step is a dialog.
  const [steps] = await Promise.all([import("#app/start-steps.ts"), OverlayStack.preload()]);
  return steps;
});

/** A part that fails to load is ignored: the press tries again, and reports it. */
async function unlessMissing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ChunkLoadError)) throw error;
  }
}
