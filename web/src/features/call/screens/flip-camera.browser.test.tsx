import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, openCall } from "#testing/call-page.ts";
import { desktop, openPage, type PageOptions, phone } from "#testing/open-page.tsx";
import { ana } from "#testing/fixtures.ts";
import { installPhoneCameras } from "#testing/phone-cameras.ts";
import { installRemotePerson } from "#testing/remote-person.ts";

const own = () => page.getByRole("region", { name: t("call.you") });
const flip = () => page.getByRole("button", { name: t("call.flip") });
const isMirrored = () => own().element().querySelector('video[data-mirrored="true"]') !== null;
const dialog = () => page.getByRole("dialog", { name: t("options.title") });

afterEach(() => void vi.restoreAllMocks());

/** A call on a page with the two cameras of a phone. */
async function openCallOfPhone(window: PageOptions["window"] = phone) {
  // The fixture of a call installs its camera once, below the two of the phone.
  installRemotePerson();
  const asked = installPhoneCameras();
  return { asked, ...(await openCall({ window })) };
}

test("turns to the back camera, which is not mirrored, and to the front again", async () => {
  const { asked, server } = await openCallOfPhone();
  await expect.poll(isMirrored).toBe(true);
  const { width, height } = flip().element().getBoundingClientRect();
  expect([width >= 44, height >= 44]).toEqual([true, true]);
  await flip().click();
  await expect.poll(isMirrored).toBe(false);
  const told = () => server.socket.heard("media").map(({ state }) => state);
  // Another camera is inspected as one that is switched off and on.
  expect(told()).toEqual(expect.arrayContaining(["camera_off", "camera_switching", "camera_on"]));
  await page.getByRole("button", { name: t("msg.menu", { name: isolate("Bo") }) }).click();
  await page.getByRole("menuitem", { name: t("call.flip") }).click();
  await expect.poll(isMirrored).toBe(true);
  expect(asked).toEqual(["user", "environment", "user"]);
  expect(callState()).toBe("in-call");
});

test("offers no other camera where there is only one", async () => {
  await openCall({ window: phone });
  expect(flip().query()).toBeNull();
});

test("chooses camera, microphone and speaker in a call, from the menu of a phone", async () => {
  const { asked } = await openCallOfPhone();
  await page.getByRole("button", { name: t("msg.menu", { name: isolate("Bo") }) }).click();
  await page.getByRole("menuitem", { name: t("options.title") }).click();
  await expect.element(dialog()).toBeVisible();
  // The test of the network would take it from the call.
  expect(page.getByRole("button", { name: t("network.test") }).query()).toBeNull();
  const camera = dialog().getByLabelText(t("home.camera"));
  await expect.element(camera).toHaveValue("front");
  await camera.selectOptions("back");
  await expect.poll(() => asked).toEqual(["user", "environment"]);
  await expect.element(camera).toHaveValue("back");
  expect(JSON.parse(localStorage.getItem("devices") ?? "")).toMatchObject({ cameraId: "back" });
  expect(callState()).toBe("in-call");
});

test("chooses them on a large screen by the same menu", async () => {
  await openCallOfPhone(desktop);
  await page.getByRole("button", { name: t("msg.menu", { name: isolate("Bo") }) }).click();
  await page.getByRole("menuitem", { name: t("options.title") }).click();
  await expect.element(dialog().getByLabelText(t("home.speaker"))).toBeVisible();
  expect(callState()).toBe("in-call");
});

test("turns the camera before a call", async () => {
  const asked = installPhoneCameras();
  await openPage({ as: ana, window: phone });
  await page.getByRole("button", { name: t("home.turnOn") }).click();
  await flip().click();
  await expect.poll(() => asked).toEqual(["user", "environment"]);
  await expect.poll(() => document.querySelector("video[data-mirrored]")).toBeNull();
});
