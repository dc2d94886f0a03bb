import type { Page } from "@playwright/test";

declare global {
  interface Window {
    unplugCamera: () => void;
    /** The camera in use is removed, and another one is there. */
    loseOneCamera: () => void;
    plugCameraIn: () => void;
  }
}

/**
 * Lets a test remove the camera and connect it again: its tracks end, it leaves the list, `devicechange` fires, and
 * opening it fails with the browser's error. No flag of Chromium does that. Runs before the page's own scripts.
 */
export function makeUnpluggable(): void {
  const devices = navigator.mediaDevices;
  const opened: MediaStreamTrack[] = [];
  let plugged = true;
  const open = devices.getUserMedia.bind(devices);
  const list = devices.enumerateDevices.bind(devices);
  devices.getUserMedia = async (constraints) => {
    if (!plugged && constraints?.video) throw new DOMException("Requested device not found", "NotFoundError");
    const stream = await open(constraints);
    opened.push(...stream.getVideoTracks());
    return stream;
  };
  devices.enumerateDevices = async () => (await list()).filter(({ kind }) => plugged || kind !== "videoinput");
  window.loseOneCamera = () => {
    for (const track of opened.splice(0)) {
      if (track.readyState === "ended") continue;
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }
    devices.dispatchEvent(new Event("devicechange"));
  };
  window.unplugCamera = () => {
    plugged = false;
    window.loseOneCamera();
  };
  window.plugCameraIn = () => {
    plugged = true;
    devices.dispatchEvent(new Event("devicechange"));
  };
}

/** Revokes the permissions, as in the browser's settings: running tracks really end. */
export async function revokePermission(page: Page): Promise<void> {
  const { origin } = new URL(page.url());
  const ofPage = await page.context().newCDPSession(page);
  const { targetInfo } = await ofPage.send("Target.getTargetInfo");
  const ofBrowser = await page.context().browser()?.newBrowserCDPSession();
  if (!ofBrowser) throw new Error("the page has no browser");
  for (const name of ["camera", "microphone"]) {
    await ofBrowser.send("Browser.setPermission", {
      permission: { name },
      setting: "denied",
      origin,
      ...(targetInfo.browserContextId !== undefined && { browserContextId: targetInfo.browserContextId }),
    });
  }
}
