import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { openCall } from "#testing/call-page.ts";
import { phone } from "#testing/open-page.tsx";

const remoteVideo = () => page.getByLabelText(t("call.remote", { name: isolate("Bo") })).element() as HTMLVideoElement;
const menu = () => page.getByRole("button", { name: t("msg.menu", { name: isolate("Bo") }) });

const usual = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, "volume")!;

afterEach(() => void Object.defineProperty(HTMLMediaElement.prototype, "volume", usual));

/** A browser in which the volume of a video is always 1, as on iOS. */
function fixVolume(): void {
  Object.defineProperty(HTMLMediaElement.prototype, "volume", { ...usual, get: () => 1, set() {} });
}

test("mutes the partner from the menu where a page cannot set the volume", async () => {
  fixVolume();
  await openCall({ window: phone });
  expect(remoteVideo().muted).toBe(false);
  for (const isMuted of [true, false]) {
    await menu().click();
    await expect.element(page.getByRole("menuitemradio", { name: "50" })).not.toBeInTheDocument();
    const item = page.getByRole("menuitemcheckbox", { name: t("call.muteSound") });
    await expect.poll(() => item.element().getAttribute("aria-checked")).toBe(String(!isMuted));
    await item.click();
    await expect.poll(() => remoteVideo().muted).toBe(isMuted);
  }
});

test("mutes the partner by a button in place of the slider on a large screen", async () => {
  fixVolume();
  await openCall();
  const mute = page.getByRole("button", { name: t("call.muteSound") });
  await expect.element(mute).toHaveAttribute("aria-pressed", "false");
  expect(page.getByRole("slider", { name: t("call.volume") }).query()).toBeNull();
  await mute.click();
  await expect.element(mute).toHaveAttribute("aria-pressed", "true");
  expect(remoteVideo().muted).toBe(true);
  await mute.click();
  await expect.poll(() => remoteVideo().muted).toBe(false);
});

test("keeps the slider, and mutes nothing, where the volume can be set", async () => {
  await openCall();
  await expect.element(page.getByRole("slider", { name: t("call.volume") })).toBeVisible();
  expect(page.getByRole("button", { name: t("call.muteSound") }).query()).toBeNull();
  expect([remoteVideo().muted, remoteVideo().volume]).toEqual([false, 0.5]);
});

test("plays the partner's video again when the user returns to a page whose videos were paused", async () => {
  await openCall({ window: phone });
  const video = remoteVideo();
  for (const comeBack of [
    () => document.dispatchEvent(new Event("visibilitychange")),
    () => window.dispatchEvent(new Event("focus")),
    () => window.dispatchEvent(new Event("pageshow")),
  ]) {
    video.pause();
    expect(video.paused).toBe(true);
    comeBack();
    await expect.poll(() => video.paused).toBe(false);
  }
});
