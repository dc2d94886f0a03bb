import type { Page } from "@playwright/test";

/** What the marker classifier reads in the upper left corner of a frame; see `MODERATION=marker`. */
export const markers = { sure: "#ff00ff", unsure: "#ffff00", code: "#00ffff", none: "" } as const;

declare global {
  interface Window {
    /** Colour of the corner; empty for none. */
    markerOfTheTest: string;
  }
}

/**
 * Replaces the camera by a drawn video of 640 x 480, or of the size that is required, whose corner can get a marker
 * during the call. Runs before the page's own scripts. The video moves, and no two cameras show the same.
 */
export function markerCamera(): void {
  window.markerOfTheTest = "";
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  const sizeIn = ({ width, height }: MediaTrackConstraints) =>
    typeof width === "number" && typeof height === "number" ? { width, height } : {};
  const hue = Math.floor(Math.random() * 360);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    if (!wanted?.video) return stream;
    const size = { width: 640, height: 480, ...(wanted.video !== true && sizeIn(wanted.video)) };
    const canvas = Object.assign(document.createElement("canvas"), size);
    const context = canvas.getContext("2d");
    const [video] = canvas.captureStream(5).getVideoTracks();
    if (!context || !video) return stream;
    context.scale(size.width / 640, size.height / 480);
    let step = 0;
    const draw = () => {
      step += 1;
      context.fillStyle = `hsl(${hue} 35% 55%)`;
      context.fillRect(0, 0, 640, 480);
      context.fillStyle = `hsl(${(hue + 40) % 360} 60% 75%)`;
      context.beginPath();
      context.arc(320 + 40 * Math.sin(step / 5), 220, 110, 0, 7);
      context.fill();
      context.fillStyle = `hsl(${(hue + 200) % 360} 40% 30%)`;
      context.fillRect(180, 340, 280, 140);
      if (window.markerOfTheTest === "") return;
      context.fillStyle = window.markerOfTheTest;
      context.fillRect(0, 0, 64, 64);
    };
    draw();
    const timer = setInterval(() => (video.readyState === "live" ? draw() : clearInterval(timer)), 200);
    for (const track of stream.getVideoTracks()) {
      track.stop();
      stream.removeTrack(track);
    }
    stream.addTrack(video);
    return stream;
  };
}

/** Shows the marker until the next one. */
export async function showMarker(page: Page, marker: keyof typeof markers): Promise<void> {
  await page.evaluate((colour) => void (window.markerOfTheTest = colour), markers[marker]);
}
