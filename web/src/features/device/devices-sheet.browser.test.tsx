import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { codes } from "@fava/wire/codes.ts";
import { t } from "#lib/i18n.ts";
import { usesSignLanguage, setMediaOption } from "#lib/media/media-options.ts";
import { ratingOf, measureNetwork } from "#lib/media/network-test.ts";
import { signOut } from "#lib/session.ts";
import { type FixtureWorld, Refusal } from "#testing/fixture-world.ts";
import { openCall } from "#testing/call-page.ts";
import { ana } from "#testing/fixtures.ts";
import { desktop, openPage, type PageOptions, phone } from "#testing/open-page.tsx";

const option = (name: Parameters<typeof t>[0]) => page.getByRole("switch", { name: t(name), exact: true });
const ownPicture = () => page.getByLabelText(t("home.camera"), { exact: true });
const isMirrored = () => document.querySelector('section[aria-label] video[data-mirrored="true"]') !== null;
const stored = () => JSON.parse(localStorage.getItem("mediaOptions") ?? "null") as unknown;

async function openSheet(window: PageOptions["window"] = desktop): Promise<FixtureWorld> {
  const server = await openPage({ as: ana, window });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await page.getByRole("button", { name: t("options.title") }).click();
  await expect.element(option("options.signs")).toBeVisible();
  return server;
}

test("mirrors the local video unless the user turns that off on this device", async () => {
  await openSheet();
  await expect.poll(isMirrored).toBe(true);
  await option("options.mirror").click();
  await expect.poll(isMirrored).toBe(false);
  expect(ownPicture().elements().length).toBeGreaterThan(0);
  const usual = { hidesOwn: false, reducesNoise: true, evensVolume: true, signs: false, blursBackground: false };
  expect(stored()).toEqual({ ...usual, mirrorsOwn: false });
  await option("options.signs").click();
  expect(stored()).toEqual({ ...usual, mirrorsOwn: false, signs: true });
  await signOut();
  await expect.poll(usesSignLanguage).toBe(false);
});

test.each([
  { name: "a large screen", window: { width: 1440, height: 900 }, saysIt: true },
  { name: "a phone, as small as a button", window: phone, saysIt: false },
])("shows a user who hides the local video that the camera is on, on $name", async (place) => {
  setMediaOption("hidesOwn", true);
  await openCall({ window: place.window });
  const own = page.getByRole("region", { name: t("call.you") }).element();
  expect(own.querySelector("video, canvas")).toBeNull();
  const words = page.getByText(t("options.cameraOn")).element();
  expect(words.checkVisibility()).toBe(place.saysIt);
  expect(own.getBoundingClientRect().width <= 48).toBe(!place.saysIt);
  // A camera that is off shows the usual text for that, instead of the one for a hidden local video.
  await page.getByRole("button", { name: t("home.camMute") }).click();
  await expect.poll(() => page.getByText(t("options.cameraOn")).query()).toBeNull();
  expect(own.textContent).toContain(t("home.offTitle"));
});

test("leaves noise and volume of the microphone alone if the user wants so, and keeps what is off off", async () => {
  const asked = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  await openPage({ as: ana });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await expect.element(page.getByText(t("home.only"))).toBeVisible();
  const sound = () => asked.mock.lastCall?.[0]?.audio;
  expect(sound()).toMatchObject({ noiseSuppression: true, autoGainControl: true });
  // The microphone button is behind the dialog, so screen readers do not see it. The second one is that of a later call.
  const microphone = page.getByRole("button", { name: t("home.micMute"), includeHidden: true }).first();
  await microphone.click();
  await page.getByRole("button", { name: t("options.title") }).click();
  await option("options.noise").click();
  await expect.poll(sound).toMatchObject({ echoCancellation: true, noiseSuppression: false, autoGainControl: true });
  await option("options.volume").click();
  await expect.poll(sound).toMatchObject({ noiseSuppression: false, autoGainControl: false });
  await expect.poll(() => microphone.element().getAttribute("aria-pressed")).toBe("true");
});

test("offers the device's own blur if the page may switch it, and follows other switches", async () => {
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

test("shows nothing about a blur that neither the device nor the browser has", async () => {
  vi.stubGlobal("MediaStreamTrackProcessor", undefined);
  await openSheet();
  expect(option("options.blur").query()).toBeNull();
});

/** The page's blur runs, but on a device where each measured frame took this long. */
function measureAs(frameMs: number): void {
  const measured = { type: "measured", frameMs: Array.from({ length: 15 }, () => frameMs) };
  class MeasuredWorker extends Worker {
    override postMessage(message: { type: string }, transferred?: Transferable[] | StructuredSerializeOptions): void {
      if (message.type === "measure") this.dispatchEvent(new MessageEvent("message", { data: measured }));
      else super.postMessage(message, transferred as Transferable[]);
    }
  }
  vi.stubGlobal("Worker", MeasuredWorker);
}

const shownTrack = () =>
  (document.querySelector("section[aria-label] video") as HTMLVideoElement | null)?.srcObject as MediaStream | null;

test("leaves the blur off on a device that is too slow, and says so", async () => {
  measureAs(40);
  await openSheet();
  const [before] = shownTrack()?.getVideoTracks() ?? [];
  await option("options.blur").click();
  await expect.element(page.getByText(t("options.blurSlow"))).toBeVisible();
  await expect.element(option("options.blur")).not.toBeChecked();
  expect(shownTrack()?.getVideoTracks()).toEqual([before]);
});

test("shows the user the blurred video that others get, and remembers the choice until it is turned off", async () => {
  measureAs(5);
  await openSheet();
  const [camera] = shownTrack()?.getVideoTracks() ?? [];
  await option("options.blur").click();
  await expect.poll(() => shownTrack()?.getVideoTracks()[0]?.id).not.toBe(camera?.id);
  await expect.element(option("options.blur")).toBeChecked();
  expect(stored()).toMatchObject({ blursBackground: true });
  const [blurred] = shownTrack()?.getVideoTracks() ?? [];
  const video = document.querySelector("section[aria-label] video") as HTMLVideoElement;
  await expect.poll(() => video.getVideoPlaybackQuality().totalVideoFrames).toBeGreaterThan(3);
  expect([blurred?.readyState, camera?.readyState]).toEqual(["live", "live"]);

  await option("options.blur").click();
  await expect.poll(() => shownTrack()?.getVideoTracks()[0]?.id).toBe(camera?.id);
  await expect.element(option("options.blur")).not.toBeChecked();
  expect([blurred?.readyState, camera?.readyState]).toEqual(["ended", "live"]);
  expect(stored()).toMatchObject({ blursBackground: false });
});

test("finds that a page which can reach itself carries what a call sends", async () => {
  const carried = await measureNetwork({ iceServers: [], policy: "all" }, new AbortController().signal);
  expect(carried && ratingOf(carried)).toBe("picture");
});

test("ends a cancelled test at once, with everything that it opened", async () => {
  const closed = vi.spyOn(RTCPeerConnection.prototype, "close");
  const given = new AbortController();
  const running = measureNetwork({ iceServers: [], policy: "all" }, given.signal);
  given.abort(new Error("given up"));
  await expect(running).rejects.toThrow("given up");
  expect(closed).toHaveBeenCalledTimes(2);
});

const testButton = () => page.getByRole("button", { name: t("network.test") });
const finding = () => page.getByRole("region", { name: t("network.title") }).getByRole("status");
/** Nothing listens on this port. */
const nowhere = { urls: ["turn:127.0.0.1:9?transport=tcp"], username: "u", credential: "c" };

test("shows the result of the network test, or why there is none", async () => {
  const server = await openSheet(phone);
  await testButton().click();
  await expect.element(finding()).toHaveTextContent(t("network.noRelay"));
  server.answer({
    testRoomSign: () => ({ token: "r", iceServers: [nowhere], policy: "relay", expiresAt: Number.MAX_SAFE_INTEGER }),
  });
  await testButton().click();
  await expect.element(finding()).toHaveTextContent(t("network.nothing", { addresses: "127.0.0.1:9" }));
  // The page has scrolled to the result, at the end of a dialog that is longer than the screen.
  await expect.element(finding()).toBeInViewport({ ratio: 0.9 });
  server.answer({ testRoomSign: new Refusal(codes.slowDown, { retry_after: 600 }) });
  await testButton().click();
  await expect.element(finding()).toHaveTextContent(t("network.tooOften"));
  server.answer({ testRoomSign: new Refusal(codes.unavailable) });
  await testButton().click();
  await expect.element(finding()).toHaveTextContent(t("error.server"));
  expect(server.asked("testRoomSign").filter(({ network }) => network === 1)).toHaveLength(4);
});
