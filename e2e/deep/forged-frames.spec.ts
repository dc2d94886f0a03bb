import { expect, type Page } from "@playwright/test";
import { framesOf } from "../support/frames.ts";
import { heading } from "../support/judged-pictures.ts";
import { markerCamera, showMarker } from "../support/marker-camera.ts";
import { meet } from "../support/people.ts";
import { test } from "../support/relayed.ts";
import { turnIsInstalled } from "../support/turn.ts";

test.skip(!turnIsInstalled, "coturn is not installed");

const foundWithinMs = 60_000;
const darkWithinMs = 10_000;

/** A modified page that uploads a clean picture, whatever its camera shows. */
function forgeFrames(): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
  const context = canvas.getContext("2d");
  const [forged] = canvas.captureStream(5).getVideoTracks();
  if (!context || !forged) return;
  setInterval(() => {
    for (let bar = 0; bar < 8; bar += 1) {
      context.fillStyle = `hsl(${bar * 45} 50% ${bar % 2 === 0 ? 20 : 80}%)`;
      context.fillRect(bar * 80, bar * 30, 80, 480);
    }
    context.fillRect(Math.random() * 600, 0, 20, 20);
  }, 200);
  const own = new Set<string>();
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    for (const track of stream.getVideoTracks()) own.add(track.id);
    return stream;
  };
  const shown = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "srcObject");
  Object.defineProperty(HTMLMediaElement.prototype, "srcObject", {
    ...shown,
    set(this: HTMLMediaElement, stream: MediaStream | null) {
      // The inspection plays a track alone, in an element outside of the document.
      const isTaken = !this.isConnected && stream?.getVideoTracks().some(({ id }) => own.has(id));
      shown?.set?.call(this, isTaken ? new MediaStream([forged]) : stream);
    },
  });
}

/** A modified page that ignores the end of a call: its connection goes on. */
function ignoreTheEnd(): void {
  RTCPeerConnection.prototype.close = () => undefined;
  MediaStreamTrack.prototype.stop = () => undefined;
  RTCRtpSender.prototype.replaceTrack = async () => undefined;
}

const both = (...scripts: readonly (() => void)[]) => ({
  before: { content: scripts.map((script) => `(${script.toString()})();`).join("\n") },
});

test("hides what a page sends that uploads another picture, within 60 s and without telling it", async ({ person }) => {
  test.setTimeout(180_000);
  const [ana, bo] = [
    await person({ name: "Ana Forges" }, both(markerCamera, forgeFrames)),
    await person({ name: "Bo Receives" }, both(markerCamera)),
  ];
  await meet(ana, bo);
  const beganMs = performance.now();
  await showMarker(ana, "unsure");
  await expect(heading(bo, "shield.hidden")).toBeVisible({ timeout: foundWithinMs });
  console.log(`found after ${Math.round((performance.now() - beganMs) / 1_000)} s`);
  const told = framesOf(ana).received.filter((text) => text.includes('"shield"'));
  expect(told.filter((text) => /"own":"(?:warned|missing|covered)"/.test(text))).toEqual([]);
});

test("ends the relay of pages that ignore the end of a cut call, within 10 s", async ({ person }) => {
  test.setTimeout(240_000);
  const [ana, bo] = [
    await person({ name: "Ana Goes On" }, both(markerCamera, ignoreTheEnd)),
    await person({ name: "Bo Goes On" }, both(markerCamera, ignoreTheEnd)),
  ];
  await meet(ana, bo);
  await keepPeer(bo);
  expect(await arrived(bo)).toBeGreaterThan(0);
  await showMarker(ana, "sure");
  await expect(heading(bo, "shield.cut")).toBeVisible({ timeout: foundWithinMs });
  await bo.waitForTimeout(darkWithinMs);
  const before = await arrived(bo);
  await bo.waitForTimeout(3_000);
  expect((await arrived(bo)) - before).toBe(0);
});

declare global {
  interface Window {
    peerOfTheTest: RTCPeerConnection | undefined;
  }
}

/** Remembers the connection of this call, since the page opens another one for its next search. */
function keepPeer(page: Page): Promise<void> {
  return page.evaluate(() => void (window.peerOfTheTest = window.presentPeer()));
}

/** Bytes of video that have arrived by that connection. */
function arrived(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const rows = [...((await window.peerOfTheTest?.getStats())?.values() ?? [])] as Record<string, unknown>[];
    const video = rows.find((row) => row["type"] === "inbound-rtp" && row["kind"] === "video");
    return Number(video?.["bytesReceived"] ?? -1);
  });
}
