import type { MatchFilters } from "@fava/wire/beans.ts";
import { changedPrice } from "#features/beans/prices.ts";
import { currentMatchFilters } from "#features/match/match-filters.ts";
import { areRulesRead } from "#features/match/safety-rules.ts";
import type { MeetPerson } from "#features/people/rematch.ts";
import { formatBeans } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { tellMissingPart } from "#lib/missing-part.ts";
import { openOverlay } from "#lib/overlays.ts";
import { whyNoCalls } from "#lib/media/call-support.ts";
import { currentUser, session } from "#lib/session.ts";
import { ChunkLoadError, loadWithTimeout } from "#ui/lazy-with-timeout.ts";
import { showToast } from "#ui/toast-store.ts";

// Camera and call are not part of the first load: they come with the first sign-in or the first press on Start.
const loadDevice = loadOnce(() => import("#features/device/ensure-media.ts"));
const loadCall = loadOnce(() => import("#features/call/call.ts"));

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
    // Before anything is asked of somebody who cannot have a call here (rule MEDIA-620).
    if (whyNoCalls()) return void (await openOverlay("device-tips"));
    if (!(await signIn()) || !(await completeProfile())) return;
    const [{ ensureMedia }, { expectStart, startCall }] = await Promise.all([loadDevice(), loadCall()]);
    const opened = ensureMedia();
    expectStart(wishOf(meet));
    // The session may end at any step; its end closes whatever dialog is open.
    if (!(await opened) || !currentUser() || next) return;
    if (!areRulesRead(Date.now()) && (await openOverlay("rules")) !== "done") return;
    if (!meet && (await tellChangedPrice())) return;
    if (next) return;
    await startCall(wishOf(meet));
  } catch (error) {
    if (!(error instanceof ChunkLoadError)) throw error;
    tellMissingPart();
  }
}

/** What Start needs is loaded before it is pressed, so that a press opens the camera in its own turn (rule CALL-103). */
export async function readyStart(): Promise<void> {
  try {
    await Promise.all([loadDevice(), loadCall()]);
  } catch (error) {
    // The press tries again, and tells of it.
    if (!(error instanceof ChunkLoadError)) throw error;
  }
}

/** Even an import of what is there already comes back a few turns later, and the press is drawn before that. */
function loadOnce<Part>(load: () => Promise<Part>): () => Promise<Part> {
  let loaded: Part | null = null;
  return async () => (loaded ??= await loadWithTimeout(load));
}

function wishOf(meet: MeetPerson | undefined): MatchFilters & { meet?: MeetPerson } {
  return meet ? { ...currentMatchFilters(), meet } : currentMatchFilters();
}

/** Says what the wish costs by now, where the page has shown another price; a free one is only begun (rule BEANS-368). */
async function tellChangedPrice(): Promise<boolean> {
  const price = await changedPrice(currentMatchFilters());
  if (!price) return false;
  showToast({ type: "warning", text: t("price.changed", { price: formatBeans(price) }) });
  return true;
}

/** Birthday and gender, for those who have not given them; false when that is not possible today (rule AGE-9). */
export async function completeProfile(): Promise<boolean> {
  const user = currentUser();
  if (!user) return false;
  if (user.age_try_again !== null && user.birthday === "") {
    await openOverlay("age-restriction");
    return false;
  }
  if (!user.profile_complete) {
    if ((await openOverlay("complete-profile")) !== "done") return false;
    await (await loadDevice()).tipWhenMissing();
  }
  return currentUser()?.profile_complete ?? false;
}

async function signIn(): Promise<boolean> {
  if (currentUser()) return true;
  if (session.getState().status === "anonymous" && (await openOverlay("login")) !== "done") return false;
  return untilSignedIn();
}

/** The login popup closes when the session is stored; the person's own data follow a moment later. */
function untilSignedIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = () => {
      const { status } = session.getState();
      if (status === "signing-in" || status === "restoring") return;
      stop();
      resolve(status === "signed-in");
    };
    const stop = session.subscribe(settle);
    settle();
  });
}
