import { mayTakeHold, takeAndOpen } from "#features/call/machine/tab-lock.ts";
import { checkDevices, isUnsupported, localMedia } from "#lib/media/local-media.ts";
import { openOverlay } from "#lib/overlays.ts";

/**
 * Camera and microphone, with everything that has to be said on the way: why the browser is about to ask, and what can
 * be done when it does not work. False when the person gave up, or it was closed meanwhile.
 */
export async function ensureMedia(): Promise<boolean> {
  if (isLive()) return true;
  if (isUnsupported()) return (await openOverlay("device-tips")) === "done";
  const [mayTake, granted] = await Promise.all([mayTakeHold(), isGranted()]);
  if (!mayTake) return false;
  if (granted) await takeAndOpen();
  else if ((await openOverlay("permission")) !== "done") return false;
  const { status } = localMedia.getState().media;
  if (status === "off") return false;
  return status === "live" || (await openOverlay("device-tips")) === "done";
}

/** After the gender step: the camera and microphone tip, when one of the two is not there (rule CALL-10). */
export async function tipWhenMissing(): Promise<void> {
  if (!(await checkDevices())) await openOverlay("device-tips");
}

function isLive(): boolean {
  return localMedia.getState().media.status === "live";
}

/** Both are granted, as the browser has said last; it tells of each change by itself. */
let isKnownGranted = false;

/**
 * Whether the browser will not ask any more; where it cannot tell, it is taken to ask. Asked before the press that needs
 * it, that press does not wait for the answer.
 */
export async function isGranted(): Promise<boolean> {
  if (isKnownGranted) return true;
  try {
    const names = ["camera", "microphone"] as const;
    const states = await Promise.all(
      names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
    );
    // What is not granted is asked about each time: not every browser tells of what was granted since.
    for (const one of states) one.onchange = () => (isKnownGranted = false);
    isKnownGranted = states.every(({ state }) => state === "granted");
    return isKnownGranted;
  } catch {
    // Firefox knows neither name.
    return false;
  }
}
