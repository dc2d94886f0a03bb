import type { Page } from "@playwright/test";
import { ana } from "@fava/web/testing/fixtures.ts";
import type { Words } from "../../support/words.ts";
import { type Scene, scene } from "../scene.ts";

const start = (page: Page, said: Words) => page.getByRole("button", { name: said("home.start") }).click();

const phones = {
  android: "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36",
  iphone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1",
};

/**
 * Each runs in a page before its own scripts, instead of a working camera. The empty page of a new window has no
 * devices.
 */
export function neverAnswered(): void {
  const { mediaDevices } = navigator;
  if (mediaDevices) mediaDevices.getUserMedia = () => new Promise(() => undefined);
}
function withoutCamera(): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const list = mediaDevices.enumerateDevices.bind(mediaDevices);
  mediaDevices.enumerateDevices = async () => (await list()).filter(({ kind }) => kind === "audioinput");
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
}
function withoutMicrophone(): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const list = mediaDevices.enumerateDevices.bind(mediaDevices);
  mediaDevices.enumerateDevices = async () => (await list()).filter(({ kind }) => kind === "videoinput");
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
}
function withoutDevices(): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  mediaDevices.enumerateDevices = async () => [];
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
}
function busy(): void {
  const { mediaDevices } = navigator;
  if (mediaDevices) mediaDevices.getUserMedia = () => Promise.reject(new DOMException("in use", "NotReadableError"));
}
function withoutWebRtc(): void {
  Object.defineProperty(window, "RTCPeerConnection", { value: undefined });
}
function belowFloor(): void {
  Reflect.deleteProperty(HTMLVideoElement.prototype, "requestVideoFrameCallback");
}

export const deviceScenes: readonly Scene[] = [
  scene("camera and microphone are denied", { as: ana }, async ({ page, said, show }) => {
    await start(page, said);
    const denied = page.getByRole("dialog", { name: said("denied.title") });
    await denied.waitFor();
    await show("devices-denied");
    await denied.getByRole("combobox").selectOption("Safari");
    await show("devices-denied-safari");
    await page.keyboard.press("Escape");
    await page.getByText(said("home.blocked")).waitFor();
    await show("devices-denied-home");
    for (const [name, userAgent] of Object.entries(phones)) {
      await page.evaluate(
        (agent) => Object.defineProperty(navigator, "userAgent", { get: () => agent, configurable: true }),
        userAgent,
      );
      await page.getByRole("button", { name: said("home.showHow") }).click();
      await denied.waitFor();
      await show(`devices-denied-${name}`, { phonesOnly: true });
      await page.keyboard.press("Escape");
      await denied.waitFor({ state: "hidden" });
    }
  }),
  scene(
    "the browser asks for camera and microphone",
    { as: ana, before: neverAnswered },
    async ({ page, said, show }) => {
      await start(page, said);
      await page.getByText(said("perm.ask")).waitFor();
      await show("devices-asking");
    },
  ),
  ...(
    [
      ["no-camera", withoutCamera, "device.noCamera"],
      ["no-microphone", withoutMicrophone, "device.noMicrophone"],
      ["none", withoutDevices, "device.noneTitle"],
      ["busy", busy, "device.busyTitle"],
      ["no-calls", withoutWebRtc, "unsupported.title"],
      ["too-old", belowFloor, "unsupported.title"],
    ] as const
  ).map(([name, before, title]) =>
    scene(`devices: ${name}`, { as: ana, devices: "allowed", before }, async ({ page, said, show }) => {
      await start(page, said);
      await page.getByRole("dialog", { name: said(title) }).waitFor();
      await show(`devices-${name}`);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.getByRole("button", { name: said("home.showHow") }).waitFor();
      await show(`devices-${name}-home`);
    }),
  ),
];
