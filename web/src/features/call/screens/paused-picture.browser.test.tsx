import { pausedOfferMs } from "@fava/wire/limits.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key, { name }) });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name })).element();
const isCovered = () => (remoteVideo() as HTMLElement).dataset["hidden"] === "true";
/** Fails only for a page that hangs. */
const firstRungWithinMs = 15_000;

/** A call in which the test decides whether the local video is paused. */
async function openSteadyCall() {
  const set = vi.spyOn(RTCRtpSender.prototype, "setParameters");
  const call = await openCall();
  await vi.waitUntil(() => set.mock.calls.length > 0, { timeout: firstRungWithinMs });
  set.mockRestore();
  return call;
}

test("covers a paused remote video with its text, keeps the sound, and shows that text before the checks' own", async () => {
  const { server, roomId } = await openCall();
  expect(isCovered()).toBe(false);
  server.socket.say({ type: "shield", roomId, other: "checking", own: "clear" });
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  await expect.element(heading("paused.other")).toBeVisible();
  await expect.element(page.getByText(t("paused.otherText"))).toBeVisible();
  // Frames that still arrive are not shown.
  expect(isCovered()).toBe(true);
  expect((remoteVideo() as HTMLVideoElement).muted).toBe(false);
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  server.socket.say({ type: "peer-media", roomId, state: "picture_back" });
  await expect.element(heading("shield.checking")).toBeVisible();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  expect(isCovered()).toBe(false);
});

test("shows a camera that is off, or a partner who is away, before a paused video", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await expect.element(page.getByText(t("call.cameraOff", { name }))).toBeVisible();
  await expect.element(heading("paused.other")).not.toBeInTheDocument();
});

test("leaves the local video and the chat in place on a phone when the remote video is not shown", async () => {
  const { server, roomId } = await openCall({ window: phone });
  const isOnTop = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && element.contains(found);
  };
  const expectUncovered = () => {
    expect(isOnTop(page.getByRole("textbox", { name: t("call.placeholder") }).element())).toBe(true);
    expect(isOnTop(page.getByRole("region", { name: t("call.you") }).element())).toBe(true);
  };
  const cameraOff = page.getByText(t("call.cameraOff", { name }));
  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await expect.element(cameraOff).toBeVisible();
  expectUncovered();
  server.socket.say({ type: "peer-media", roomId, state: "camera_on" });
  await expect.element(cameraOff).not.toBeInTheDocument();
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  await expect.element(page.getByText(t("paused.otherText"))).toBeVisible();
  expectUncovered();
});

test("tells a user with a weak network so, instead of what the checks report of the video", async () => {
  const { server, roomId } = await openSteadyCall();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "missing" });
  await expect.element(page.getByText(t("shield.weakOwn"))).toBeVisible();
  callStore.setState({ ownPausedAtMs: Date.now() });
  await expect.element(page.getByText(t("paused.own"), { exact: true })).toBeVisible();
  await expect.element(page.getByText(t("paused.ownText"))).toBeVisible();
  await expect.element(page.getByText(t("shield.weakOwn"))).not.toBeInTheDocument();
  callStore.setState({ ownPausedAtMs: null });
  await expect.element(page.getByText(t("paused.ownText"))).not.toBeInTheDocument();
});

test("says after a minute that the user can wait or press Next, of either video", async () => {
  const { server, roomId } = await openSteadyCall();
  const ask = page.getByText(t("paused.ask"));
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  await expect.element(heading("paused.other")).toBeVisible();
  await expect.element(ask).not.toBeInTheDocument();
  const agoMs = Date.now() - pausedOfferMs;
  const { other } = callStore.getState();
  callStore.setState({ other: { ...other, pausedAtMs: agoMs } });
  await expect.element(ask).toBeVisible();
  server.socket.say({ type: "peer-media", roomId, state: "picture_back" });
  await expect.element(ask).not.toBeInTheDocument();
  callStore.setState({ ownPausedAtMs: agoMs });
  await expect.element(ask).toBeVisible();
});
