import { nextGuardMs } from "@fava/wire/limits.ts";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import { desktop, phone } from "#testing/open-page.tsx";

const inCall = () => page.getByRole("toolbar", { name: t("call.controls") });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name: isolate("Bo") })).element() as HTMLVideoElement;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface WakeLock {
  asked: number;
  released: number;
  /** As browsers do whenever the page is hidden. */
  letGo: () => void;
}

/** The lock of a machine that gives one for its screen, and what was asked of it. */
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

/** Media keys of a headset or a lock screen; answers how to press one. */
function watchMediaKeys(): (name: string) => void {
  const handlers = new Map<string, (details: MediaSessionActionDetails) => void>();
  vi.spyOn(navigator.mediaSession, "setActionHandler").mockImplementation((name, handler) => {
    if (handler) handlers.set(name, handler);
    else handlers.delete(name);
  });
  return (name) => handlers.get(name)?.({ action: name as MediaSessionAction });
}

test("the screen stays on while somebody is there, and is asked for again when the page is back", async () => {
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

test("media keys switch the microphone and the camera, go on to the next person, and hang up", async () => {
  const press = watchMediaKeys();
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
  press("nexttrack");
  await expectCallState("searching");
  // Nobody is there to go on from.
  press("nexttrack");
  expect(callState()).toBe("searching");
  press("hangup");
  await expectHome();
  press("hangup");
  await expect.poll(() => server.asked("matchStop").length).toBeGreaterThan(0);
  expect(server.asked("matchStop")).toHaveLength(1);
});

test("on a desktop the picture can float, unless it is kept blurred or the other's camera is off", async () => {
  const floats = vi
    .spyOn(HTMLVideoElement.prototype, "requestPictureInPicture")
    .mockImplementation(async () => new EventTarget() as PictureInPictureWindow);
  const { server, roomId } = await openCall();
  const float = page.getByRole("button", { name: t("call.pip") });
  await float.click();
  expect(floats.mock.contexts).toEqual([remoteVideo()]);
  expect(remoteVideo().disablePictureInPicture).toBe(false);

  // A picture that is kept blurred must not be shown unblurred elsewhere.
  const keep = page.getByRole("button", { name: t("shield.keep") });
  await keep.click();
  await expect.element(float).not.toBeInTheDocument();
  expect(remoteVideo().disablePictureInPicture).toBe(true);
  await keep.click();
  await expect.element(float).toBeVisible();

  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await expect.element(float).not.toBeInTheDocument();
  expect(remoteVideo().disablePictureInPicture).toBe(true);
  server.socket.say({ type: "peer-media", roomId, state: "camera_on" });
  await expect.element(float).toBeVisible();

  await page.viewport(phone.width, phone.height);
  await expect.element(float).not.toBeInTheDocument();
  await page.viewport(desktop.width, desktop.height);
  await expect.element(float).toBeVisible();
});

/** What the browser says when another tab comes to the front, and when this one is back. */
function show(isShown: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("whoever looks at another tab has stepped away, and the other is told until they are back", async () => {
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

test("of the other who has stepped away the page says so, and shows them again when they are back", async () => {
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

test("while nothing arrives it is not said that the other has stepped away: what is said is that the connection is sought", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "peer-media", roomId, state: "away" });
  const away = page.getByText(t("call.away", { name: isolate("Bo") }));
  await expect.element(away).toBeVisible();
  window.remotePerson.stall();
  await expect.element(page.getByRole("heading", { name: t("reconnect.title") })).toBeVisible();
  await expect.element(away).not.toBeInTheDocument();
  await expect.element(remoteVideo()).not.toBeVisible();
});

/** A browser that plays sound only for somebody who has pressed on the video's own page. */
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

test("where the browser refuses sound, the picture plays and a tap turns the sound on", async () => {
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
