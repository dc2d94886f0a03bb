import { askTakeOver } from "#features/call/return/open-call.ts";
import { closeMedia, type LocalMedia, localMedia, openMedia } from "#lib/media/local-media.ts";
import { TabLeaderLock } from "#lib/tab-leader-lock.ts";

const lostListeners = new Set<() => void>();

/** The hold of this tab; without it the camera is off, whether or not somebody is signed in. */
export const tabLock = new TabLeaderLock(() => {
  closeMedia();
  for (const listener of lostListeners) listener();
});

/** Told when another tab has taken the hold; answers how to end that. */
export function onHoldLost(listener: () => void): () => void {
  lostListeners.add(listener);
  return () => lostListeners.delete(listener);
}

/** False: another tab is in a call, and what was pressed here is answered by the question about it. */
export async function mayTakeHold(): Promise<boolean> {
  return tabLock.isHeld || askTakeOver();
}

/** Opens camera and microphone for a press of the person, who with it takes the hold from any other tab. */
export async function openHeldMedia(): Promise<LocalMedia> {
  return (await mayTakeHold()) ? takeAndOpen() : localMedia.getState().media;
}

/** The same where it was found already that nothing is asked before (`mayTakeHold`). */
export async function takeAndOpen(): Promise<LocalMedia> {
  await takeHold();
  return openMedia();
}

/** Takes the hold from whichever tab has it; the tab that has it already goes on in the same turn. */
export async function takeHold(): Promise<void> {
  if (!tabLock.isHeld) await tabLock.take();
}
