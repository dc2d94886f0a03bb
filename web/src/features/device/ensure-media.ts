import { mayTakeTabLock, takeTabLockAndOpen } from "#features/call/machine/tab-lock.ts";
import { checkDevices, isUnsupported, localMedia } from "#lib/media/local-media.ts";
import { openOverlay } from "#lib/overlays.ts";

/**
 * Opens camera and microphone, with the explanations before the browser's prompt and after a failure. Resolves to false
 * if the user gave up, or the media were closed meanwhile.
 */
export async function ensureMedia(): Promise<boolean> {
  if (isLive()) return true;
  if (isUnsupported()) return (await openOverlay("device-tips")) === "done";
  const [mayTake, granted] = await Promise.all([mayTakeTabLock(), isGranted()]);
  if (!mayTake) return false;
  if (granted) await takeTabLockAndOpen();
  else if ((await openOverlay("permission")) !== "done") return false;
  const { status } = localMedia.getState().media;
  if (status === "off") return false;
  return status === "live" || (await openOverlay("device-tips")) === "done";
}

/** After the gender step: shows the device tip if camera or microphone is missing (rule CALL-10). */
export async function tipWhenMissing(): Promise<void> {
  if (!(await checkDevices())) await openOverlay("device-tips");
}

function isLive(): boolean {
  return localMedia.getState().media.status === "live";
}

/** Whether the last query found both permissions granted; reset when the browser reports a change. */
let isKnownGranted = false;

/**
 * Whether both permissions are granted, so that the browser will not ask; false if it cannot tell. Called before the
 * press that needs the answer, so that the press does not wait.
 */
export async function isGranted(): Promise<boolean> {
  if (isKnownGranted) return true;
  try {
    const names = ["camera", "microphone"] as const;
    const states = await Promise.all(
      names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
    );
    // As long as a permission is not granted, each call queries again, because not every browser reports changes.
    for (const one of states) one.onchange = () => (isKnownGranted = false);
    isKnownGranted = states.every(({ state }) => state === "granted");
    return isKnownGranted;
  } catch {
    // Firefox rejects the names of these permissions.
    return false;
  }
}
