import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { sendsSigns, setMediaOption } from "#lib/media/media-options.ts";
import { signOut } from "#lib/session.ts";
import { openCall } from "#testing/call-page.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage, phone } from "#testing/open-page.tsx";

const option = (name: Parameters<typeof t>[0]) => page.getByRole("switch", { name: t(name), exact: true });
const ownPicture = () => page.getByLabelText(t("home.camera"), { exact: true });
const isMirrored = () => document.querySelector('section[aria-label] video[data-mirrored="true"]') !== null;
const stored = () => JSON.parse(localStorage.getItem("mediaOptions") ?? "null") as unknown;

async function openSheet(): Promise<void> {
  await openPage({ as: ana });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await page.getByRole("button", { name: t("options.title") }).click();
  await expect.element(option("options.signs")).toBeVisible();
}

test("[DEVICE-50] the own picture is a mirror, and is none for whoever switches that off, on this device", async () => {
  await openSheet();
  await expect.poll(isMirrored).toBe(true);
  await option("options.mirror").click();
  await expect.poll(isMirrored).toBe(false);
  expect(ownPicture().elements().length).toBeGreaterThan(0);
  const usual = { hidesOwn: false, reducesNoise: true, evensVolume: true, signs: false };
  expect(stored()).toEqual({ ...usual, mirrorsOwn: false });
  await option("options.signs").click();
  expect(stored()).toEqual({ ...usual, mirrorsOwn: false, signs: true });
  await signOut();
  await expect.poll(sendsSigns).toBe(false);
});

test.each([
  { name: "a large screen", window: { width: 1440, height: 900 }, saysIt: true },
  { name: "a phone, as small as a button", window: phone, saysIt: false },
])("[DEVICE-51] whoever hides the own picture in calls sees that the camera is on, on $name", async (place) => {
  setMediaOption("hidesOwn", true);
  await openCall({ window: place.window });
  const own = page.getByRole("region", { name: t("call.you") }).element();
  expect(own.querySelector("video, canvas")).toBeNull();
  const words = page.getByText(t("options.cameraOn")).element();
  expect(words.checkVisibility()).toBe(place.saysIt);
  expect(own.getBoundingClientRect().width <= 48).toBe(!place.saysIt);
  // Switched off it says so, as everybody's.
  await page.getByRole("button", { name: t("home.camMute") }).click();
  await expect.poll(() => page.getByText(t("options.cameraOn")).query()).toBeNull();
  expect(own.textContent).toContain(t("home.offTitle"));
});

test("[DEVICE-52] noise and volume of the microphone are left alone for whoever wants it, and what was switched off stays off", async () => {
  const asked = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  await openPage({ as: ana });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.element(page.getByText(t("home.only"))).toBeVisible();
  const sound = () => asked.mock.lastCall?.[0]?.audio;
  expect(sound()).toMatchObject({ noiseSuppression: true, autoGainControl: true });
  // Behind the sheet.
  const microphone = page.getByRole("button", { name: t("home.micMute"), includeHidden: true });
  await microphone.click();
  await page.getByRole("button", { name: t("options.title") }).click();
  await option("options.noise").click();
  await expect.poll(sound).toMatchObject({ echoCancellation: true, noiseSuppression: false, autoGainControl: true });
  await option("options.volume").click();
  await expect.poll(sound).toMatchObject({ noiseSuppression: false, autoGainControl: false });
  await expect.poll(() => microphone.element().getAttribute("aria-pressed")).toBe("true");
});

test("[DEVICE-53] the device's own blur is offered where the page may switch it, and follows what is switched elsewhere", async () => {
  let isBlurred = false;
  vi.spyOn(MediaStreamTrack.prototype, "getCapabilities").mockImplementation(
    () => ({ backgroundBlur: [true, false] }) as MediaTrackCapabilities,
  );
  vi.spyOn(MediaStreamTrack.prototype, "getSettings").mockImplementation(
    () => ({ backgroundBlur: isBlurred }) as MediaTrackSettings,
  );
  vi.spyOn(MediaStreamTrack.prototype, "applyConstraints").mockImplementation(async (constraints) => {
    isBlurred = (constraints as { backgroundBlur: boolean }).backgroundBlur;
  });
  await openSheet();
  await option("options.blur").click();
  await expect.element(option("options.blur")).toBeChecked();
  expect(isBlurred).toBe(true);
  isBlurred = false;
  const shown = document.querySelector("video")?.srcObject as MediaStream;
  shown.getVideoTracks()[0]?.dispatchEvent(new Event("configurationchange"));
  await expect.element(option("options.blur")).not.toBeChecked();
});

test("[DEVICE-53] nothing is said of a blur that the device does not have", async () => {
  await openSheet();
  expect(option("options.blur").query()).toBeNull();
});
