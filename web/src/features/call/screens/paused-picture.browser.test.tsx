import { nextGuardMs, pausedAskMs } from "@fava/wire/limits.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key, { name }) });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name })).element();
const isCovered = () => (remoteVideo() as HTMLElement).dataset["hidden"] === "true";
/** Only for a page that hangs. */
const firstRungWithinMs = 15_000;
const choice = () => page.getByRole("group", { name: t("paused.ask") });

/** A call in which it is decided how much of the own picture is sent: from then on the test says whether it is paused. */
async function openSteadyCall() {
  const set = vi.spyOn(RTCRtpSender.prototype, "setParameters");
  const call = await openCall();
  await vi.waitUntil(() => set.mock.calls.length > 0, { timeout: firstRungWithinMs });
  set.mockRestore();
  return call;
}

test("the other's paused picture is covered with its words, sound goes on, and the checks' word comes after it", async () => {
  const { server, roomId } = await openCall();
  expect(isCovered()).toBe(false);
  server.socket.say({ type: "shield", roomId, other: "checking", own: "clear" });
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  await expect.element(heading("paused.other")).toBeVisible();
  await expect.element(page.getByText(t("paused.otherText"))).toBeVisible();
  // Pictures that arrive all the same are not shown.
  expect(isCovered()).toBe(true);
  expect((remoteVideo() as HTMLVideoElement).muted).toBe(false);
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  server.socket.say({ type: "peer-media", roomId, state: "picture_back" });
  await expect.element(heading("shield.checking")).toBeVisible();
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear" });
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  expect(isCovered()).toBe(false);
});

test("a camera that is off, or somebody who has stepped away, is said before a paused picture", async () => {
  const { server, roomId } = await openCall();
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  server.socket.say({ type: "peer-media", roomId, state: "camera_off" });
  await expect.element(page.getByText(t("call.cameraOff", { name }))).toBeVisible();
  await expect.element(heading("paused.other")).not.toBeInTheDocument();
});

test("on a phone a picture that is not shown leaves the own one and the chat where they are", async () => {
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

test("whose own network is too weak reads it, in place of what the checks say of the picture", async () => {
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

test("after a minute both are asked, and whoever stays is not asked again", async () => {
  const { server, roomId } = await openSteadyCall();
  server.socket.say({ type: "peer-media", roomId, state: "picture_paused" });
  await expect.element(heading("paused.other")).toBeVisible();
  await expect.element(choice()).not.toBeInTheDocument();
  const agoMs = Date.now() - pausedAskMs;
  const { other } = callStore.getState();
  callStore.setState({ other: { ...other, pausedAtMs: agoMs } });
  await choice()
    .getByRole("button", { name: t("paused.stay") })
    .click();
  await expect.element(choice()).not.toBeInTheDocument();
  await expect.element(heading("paused.other")).toBeVisible();
  callStore.setState({ ownPausedAtMs: agoMs });
  await expect.element(page.getByText(t("paused.ownText"))).toBeVisible();
  // A double press of Next skips one person.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
  await choice()
    .getByRole("button", { name: t("call.next") })
    .click();
  await expectCallState("searching");
});
