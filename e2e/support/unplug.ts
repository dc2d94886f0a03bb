import type { Page } from "@playwright/test";

declare global {
  interface Window {
    unplugCamera: () => void;
    /** The camera in use is removed, and another one is there. */
    loseOneCamera: () => void;
    plugCameraIn: () => void;
  }
  interface HTMLVideoElement {
    /** Only in Firefox. */
    mozCaptureStream?: () => MediaStream;
  }
}

/**
 * Lets a test remove the camera and connect it again: its tracks end, it leaves the list, `devicechange` fires, and
 * opening it fails with the browser's error. No flag of a browser does that. Runs before the page's own scripts.
 */
export function makeUnpluggable(): void {
  const devices = navigator.mediaDevices;
  const ends: (() => void)[] = [];
  let plugged = true;
  const open = devices.getUserMedia.bind(devices);
  const list = devices.enumerateDevices.bind(devices);
  devices.getUserMedia = async (constraints) => {
    if (!plugged && constraints?.video) throw new DOMException("Requested device not found", "NotFoundError");
    const stream = await open(constraints);
    for (const track of stream.getVideoTracks()) {
      const camera = document.createElement("video");
      if (!camera.mozCaptureStream) {
        ends.push(() => endTrack(track));
        continue;
      }
      // In Firefox no dispatched event reaches the listeners of a camera's track, so the camera is an element's video.
      camera.muted = true;
      camera.srcObject = new MediaStream([track]);
      await camera.play();
      stream.removeTrack(track);
      for (const shown of camera.mozCaptureStream().getVideoTracks()) stream.addTrack(shown);
      ends.push(() => (camera.srcObject = null));
    }
    return stream;
  };
  devices.enumerateDevices = async () => (await list()).filter(({ kind }) => plugged || kind !== "videoinput");
  window.loseOneCamera = () => {
    for (const end of ends.splice(0)) end();
    devices.dispatchEvent(new Event("devicechange"));
  };
  window.unplugCamera = () => {
    plugged = false;
    window.loseOneCamera();
  };
  const endTrack = (track: MediaStreamTrack) => {
    if (track.readyState === "ended") return;
    track.stop();
    track.dispatchEvent(new Event("ended"));
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
