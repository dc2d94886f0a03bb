import type { PeerState } from "@fava/wire/socket.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { localMedia } from "#lib/media/local-media.ts";
import { openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");

function ownTrack(kind: "audio" | "video"): MediaStreamTrack {
  const { media } = localMedia.getState();
  const track = media.status === "live" ? media.stream.getTracks().find((one) => one.kind === kind) : undefined;
  if (!track) throw new Error(`there is no ${kind} track`);
  return track;
}

/** What a phone does for a phone call: the track stays live, and sends nothing. */
function setMuted(track: MediaStreamTrack, muted: boolean): void {
  Object.defineProperty(track, "muted", { value: muted, configurable: true });
  track.dispatchEvent(new Event(muted ? "mute" : "unmute"));
}

test("[CALL-136] tells both users that the system has taken a device away, and opens it again when it returns", async () => {
  const { server } = await openCall({ window: phone });
  const told = () => server.socket.heard("media").map(({ state }) => state);
  for (const [kind, key, states] of [
    ["video", "call.ownCameraPaused", ["camera_off", "camera_on"]],
    ["audio", "call.ownMicPaused", ["mic_off", "mic_on"]],
  ] as const) {
    const track = ownTrack(kind);
    setMuted(track, true);
    await expect.element(page.getByText(t(key)).first()).toBeVisible();
    await expect.poll(told).toContain(states[0]);
    setMuted(track, false);
    await expect.element(page.getByText(t(key))).not.toBeInTheDocument();
    await expect.poll(told).toContain(states[1]);
    expect([track.readyState, ownTrack(kind).readyState]).toEqual(["ended", "live"]);
  }
});

test("[CALL-135] shows a device that ended as switching, and continues with another one", async () => {
  const { server } = await openCall();
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  let plugIn: () => void = () => undefined;
  const plugged = new Promise<void>((resolve) => (plugIn = resolve));
  vi.spyOn(navigator.mediaDevices, "getUserMedia").mockImplementation(async (wanted) => {
    await plugged;
    return open(wanted);
  });
  const track = ownTrack("video");
  track.stop();
  track.dispatchEvent(new Event("ended"));
  await expect.element(page.getByText(t("call.ownCameraSwitching")).first()).toBeVisible();
  const told = () => server.socket.heard("media").map(({ state }) => state);
  await expect.poll(told).toEqual(expect.arrayContaining(["camera_off", "camera_switching"]));
  plugIn();
  await expect.element(page.getByText(t("call.ownCameraSwitching"))).not.toBeInTheDocument();
  await expect.poll(() => told().at(-1)).toBe("camera_on");
  expect(ownTrack("video").readyState).toBe("live");
});

test("[CALL-135] reads that the partner switches cameras or microphones", async () => {
  const { server, roomId } = await openCall();
  const say = (state: PeerState) => server.socket.say({ type: "peer-media", roomId, state });
  say("camera_off");
  say("camera_switching");
  await expect.element(page.getByText(t("call.cameraSwitching", { name }))).toBeVisible();
  say("camera_on");
  await expect.element(page.getByText(t("call.cameraSwitching", { name }))).not.toBeInTheDocument();
  say("mic_off");
  await expect.element(page.getByText(t("call.micOff"))).toBeVisible();
  say("mic_switching");
  await expect.element(page.getByText(t("call.micSwitching"))).toBeVisible();
  say("mic_on");
  await expect.element(page.getByText(t("call.micSwitching"))).not.toBeInTheDocument();
});
