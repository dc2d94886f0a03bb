import { askTakeOver } from "#features/call/return/open-call.ts";
import { closeMedia, type LocalMedia, localMedia, openMedia } from "#lib/media/local-media.ts";
import { TabLeaderLock } from "#lib/tab-leader-lock.ts";

const lostListeners = new Set<() => void>();

/** Held by one tab: a tab without it keeps the camera off, signed in or not. */
export const tabLock = new TabLeaderLock(() => {
  closeMedia();
  for (const listener of lostListeners) listener();
});

/** Calls the listener when another tab takes the lock. Returns how to unsubscribe. */
export function onTabLockLost(listener: () => void): () => void {
  lostListeners.add(listener);
  return () => lostListeners.delete(listener);
}

/** Resolves to false if another tab is in a call and the user chose to leave it there. */
export async function mayTakeTabLock(): Promise<boolean> {
  return tabLock.isHeld || askTakeOver();
}

/** Opens camera and microphone after a press of the user, which takes the lock from any other tab. */
export async function openMediaWithTabLock(): Promise<LocalMedia> {
  return (await mayTakeTabLock()) ? takeTabLockAndOpen() : localMedia.getState().media;
}

/** As `openMediaWithTabLock`, after `mayTakeTabLock` was already asked. */
export async function takeTabLockAndOpen(): Promise<LocalMedia> {
  await takeTabLock();
  return openMedia();
}

/** Takes the lock from whichever tab has it. Resolves in the same turn if this tab has it already. */
export async function takeTabLock(): Promise<void> {
  if (!tabLock.isHeld) await tabLock.take();
}
