import { nextGuardMs } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const inCall = () => page.getByRole("toolbar", { name: t("call.controls") });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name: isolate("Bo") })).element() as HTMLVideoElement;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface WakeLock {
  asked: number;
  released: number;
  /** Browsers do this whenever the page is hidden. */
  letGo: () => void;
}

/** The screen wake lock of a fake device, and the requests for it. */
function watchWakeLock(): WakeLock {
  let lock = { released: true };
  const watched = { asked: 0, released: 0, letGo: () => void (lock.released = true) };
  vi.spyOn(navigator.wakeLock, "request").mockImplementation(async () => {
    watched.asked += 1;
    const release = async () => void (watched.released += 1);
    const given = Object.assign(new EventTarget(), {
      released: false,
      type: "screen",
      release,
      onrelease: null,
    } as const);
    lock = given as { released: boolean };
    return given;
  });
  return watched;
}

/** The media keys of a headset or lock screen; `press` presses one, and `changes` are the names that the page set. */
function watchMediaKeys(): { press: (name: string) => void; changes: string[] } {
  const handlers = new Map<string, (details: MediaSessionActionDetails) => void>();
  const changes: string[] = [];
  vi.spyOn(navigator.mediaSession, "setActionHandler").mockImplementation((name, handler) => {
    changes.push(name);
    if (handler) handlers.set(name, handler);
    else handlers.delete(name);
  });
  return { press: (name) => handlers.get(name)?.({ action: name as MediaSessionAction }), changes };
}

test("keeps the screen on while there is a partner, and requests that again when the page returns", async () => {
  const lock = watchWakeLock();
  await openCall();
  expect(lock).toMatchObject({ asked: 1, released: 0 });
  lock.letGo();
  show(true);
  await expect.poll(() => lock.asked).toBe(2);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  await userEvent.keyboard("{ArrowRight}");
  await expectCallState("searching");
  await expect.poll(() => lock.released).toBe(1);
  expect(lock.asked).toBe(2);
});

test("switches microphone and camera, goes to the next partner and hangs up by media keys", async () => {
  const { press, changes } = watchMediaKeys();
  const { server } = await openCall();
  const microphone = inCall().getByRole("button", { name: t("home.micMute") });
  const camera = inCall().getByRole("button", { name: t("home.camMute") });
  await expect.element(microphone).toHaveAttribute("aria-pressed", "false");
  press("togglemicrophone");
  await expect.element(microphone).toHaveAttribute("aria-pressed", "true");
  press("togglecamera");
  await expect.element(camera).toHaveAttribute("aria-pressed", "true");
  await expect
    .poll(() => server.socket.heard("media").map(({ state }) => state))
    .toEqual(expect.arrayContaining(["mic_off", "camera_off"]));

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  changes.length = 0;
  press("nexttrack");
  await expectCallState("searching");
  expect(changes).toEqual(["nexttrack"]);
  // There is no partner to leave.
  press("nexttrack");
  expect(callState()).toBe("searching");
  press("hangup");
  await expectHome();
  press("hangup");
  await expect.poll(() => server.asked("matchStop").length).toBeGreaterThan(0);
  expect(server.asked("matchStop")).toHaveLength(1);
});

test("opens picture-in-picture on a desktop, unless the video is kept blurred or the camera is off", async () => {
  const floats = vi
    .spyOn(HTMLVideoElement.prototype, "requestPictureInPicture")
    .mockImplementation(async () => new EventTarget() as PictureInPictureWindow);
  const { server, roomId } = await openCall();
  const menu = page.getByRole("button", { name: t("msg.menu", { name: isolate("Bo") }) });
  const float = page.getByRole("menuitemcheckbox", { name: t("call.pip") });
  const keep = page.getByRole("menuitemcheckbox", { name: t("shield.keep") });
  await menu.click();
  await float.click();
  expect(floats.mock.contexts).toEqual([remoteVideo()]);
  expect(remoteVideo().disablePictureInPicture).toBe(false);

  // A video that the user keeps blurred must not be shown sharp in another window.
  await menu.click();
  await keep.click();
  await expect.poll(() => remoteVideo().disablePictureInPicture).toBe(true);
  await menu.click();
  await expect.element(keep).toBeChecked();
  expect(float.query()).toBeNull();
  await keep.click();
  await menu.click();
  await expect.element(float).toBeVisible();

  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await expect.element(float).not.toBeInTheDocument();
  expect(remoteVideo().disablePictureInPicture).toBe(true);
  server.socket.say({ type: "peer-media", roomId, state: "camera_on" });
  await expect.element(float).toBeVisible();

  await page.viewport(phone.width, phone.height);
  await menu.click();
  await expect.element(keep).toBeVisible();
  expect(float.query()).toBeNull();
});

/** What the browser reports when another tab comes to the front, and when this one returns. */
function show(isShown: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("tells the partner that the user is away while another tab is in front, until they return", async () => {
  const { server, roomId } = await openCall();
  const told = () =>
    server.socket
      .heard("media")
      .filter((frame) => frame.roomId === roomId)
      .map(({ state }) => state)
      .filter((state) => state === "away" || state === "back");
  show(false);
  await expect.poll(told).toEqual(["away"]);
  show(true);
  await expect.poll(told).toEqual(["away", "back"]);
  expect(callState()).toBe("in-call");
});

test("shows that the partner is away, and shows them again when they return", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "peer-media", roomId, state: "away" });
  const away = page.getByText(t("call.away", { name: isolate("Bo") }));
  await expect.element(away).toBeVisible();
  await expect.element(remoteVideo()).not.toBeVisible();
  server.socket.say({ type: "peer-media", roomId, state: "back" });
  await expect.element(away).not.toBeInTheDocument();
  await expect.element(remoteVideo()).toBeVisible();
  expect(callState()).toBe("in-call");
});

test("shows that the call reconnects, even if the partner was away when media stopped arriving", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "peer-media", roomId, state: "away" });
  const away = page.getByText(t("call.away", { name: isolate("Bo") }));
  await expect.element(away).toBeVisible();
  window.remotePerson.stall();
  await expect.element(page.getByRole("heading", { name: t("reconnect.title") })).toBeVisible();
  await expect.element(away).not.toBeInTheDocument();
  await expect.element(remoteVideo()).not.toBeVisible();
});

/** A browser that plays sound only after a press on the video's own page. */
function refuseSound(): void {
  const { prototype } = HTMLMediaElement;
  const play: unknown = Reflect.get(prototype, "play");
  let isPressed = false;
  vi.spyOn(prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    if (!this.muted && !isPressed) return Promise.reject(new DOMException("not allowed", "NotAllowedError"));
    return (play as typeof prototype.play).call(this);
  });
  const owner = new AbortController();
  const pressed = ({ target }: MouseEvent) => {
    isPressed ||= target instanceof Element && target.closest("section:has(> video) > button") !== null;
    if (isPressed) owner.abort();
  };
  window.addEventListener("click", pressed, { capture: true, signal: owner.signal });
}

test("plays video when the browser refuses sound, and turns the sound on with a tap", async () => {
  refuseSound();
  await openCall();
  expect(remoteVideo().muted).toBe(true);
  expect(remoteVideo().paused).toBe(false);
  await page.getByRole("button", { name: t("call.hear") }).click();
  await expect.poll(() => remoteVideo().muted).toBe(false);
  await expect.poll(() => remoteVideo().paused).toBe(false);
  await expect.element(page.getByRole("button", { name: t("call.hear") })).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});
