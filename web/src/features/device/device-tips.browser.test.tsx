import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import type { Answers } from "#testing/fixture-world.ts";
import { ana, otherUserOf } from "#testing/fixtures.ts";
import { dialogsGone, openPage } from "#testing/open-page.tsx";
import { nobodyAnswers } from "#testing/people-fixtures.ts";
import { ringBy } from "#testing/ring-steps.ts";

const member = { as: ana, stored: { neverShowRule: "1" } } as const;
const tips = () => page.getByRole("dialog", { name: t("device.busyTitle") });
const turnOn = () => page.getByRole("button", { name: t("home.turnOn") });

/** Another program uses the default camera, and there is a second one. */
async function holdBuiltInCamera(): Promise<void> {
  const { mediaDevices } = navigator;
  const list = await mediaDevices.enumerateDevices();
  const desk = {
    kind: "videoinput",
    deviceId: "desk",
    groupId: "desk",
    label: "Desk Camera",
    toJSON: () => ({}),
  } as const;
  vi.spyOn(mediaDevices, "enumerateDevices").mockResolvedValue([...list, desk]);
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  vi.spyOn(mediaDevices, "getUserMedia").mockImplementation((wish) => {
    const isDesk = JSON.stringify(wish).includes("desk");
    return isDesk ? open(wish) : Promise.reject(new DOMException("in use", "NotReadableError"));
  });
}

test("lets the user choose another camera where the tip says that one is busy, and continues with it", async () => {
  await holdBuiltInCamera();
  await openPage(member);
  await turnOn().click();
  await expect.element(tips()).toBeVisible();
  await tips().getByLabelText(t("home.camera")).selectOptions("Desk Camera");
  await tips()
    .getByRole("button", { name: t("common.retry") })
    .click();
  await expect.element(tips()).not.toBeInTheDocument();
  await expect.element(page.getByText(t("home.only"))).toBeVisible();
  await expect.element(page.getByLabelText(t("home.camera"), { exact: true }).last()).toHaveValue("desk");
});

const answers: Answers = {
  ...nobodyAnswers,
  ringAnswer: { state: "declined" },
  userInfo: otherUserOf("Bo", { followStatus: 2 }),
};
const blocked = () => page.getByRole("dialog", { name: t("denied.title") });

/** Accepts Bo's ring while the browser denies the camera. */
async function acceptBlocked() {
  const asked = vi
    .spyOn(navigator.mediaDevices, "getUserMedia")
    .mockRejectedValue(new DOMException("dismissed", "NotAllowedError"));
  const server = await openPage({ ...member, answers });
  await ringBy(server, "Bo", "ring-1");
  await page.getByRole("button", { name: t("ring.accept"), exact: true }).click();
  await expect.element(blocked()).toBeVisible();
  expect(asked).toHaveBeenCalledOnce();
  return { server, asked };
}

test("does not ask again after the user gave a ring up in the tip about the denied camera", async () => {
  const { server, asked } = await acceptBlocked();
  await blocked()
    .getByRole("button", { name: t("common.close") })
    .click();
  await expect.poll(() => server.asked("ringAnswer")).toMatchObject([{ accept: 0 }]);
  await dialogsGone();
  expect(asked).toHaveBeenCalledOnce();
});

test("does not ask either when the friend gives up, and closes the tip", async () => {
  const { server, asked } = await acceptBlocked();
  server.socket.social({ kind: "ring_over", id: "ring-1", why: "cancelled" });
  await dialogsGone();
  expect(asked).toHaveBeenCalledOnce();
});

test("[CALL-10] opens a camera that appears while the tips say that none exists", async () => {
  const { mediaDevices } = navigator;
  const list = vi.spyOn(mediaDevices, "enumerateDevices");
  const all = await mediaDevices.enumerateDevices();
  list.mockResolvedValue(all.filter(({ kind }) => kind !== "videoinput"));
  const asked = vi.spyOn(mediaDevices, "getUserMedia").mockRejectedValueOnce(new DOMException("none", "NotFoundError"));
  await openPage(member);
  await turnOn().click();
  const missing = page.getByRole("dialog", { name: t("device.noCamera") });
  await expect.element(missing).toBeVisible();
  list.mockResolvedValue(all);
  mediaDevices.dispatchEvent(new Event("devicechange"));
  await expect.element(missing).not.toBeInTheDocument();
  await expect.element(page.getByText(t("home.only"))).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(2);
});

test("covers the text of the page while the browser asks for camera and microphone", async () => {
  vi.spyOn(navigator.mediaDevices, "getUserMedia").mockReturnValue(new Promise(() => undefined));
  await openPage(member);
  void openOverlay("permission");
  const cover = () => document.querySelector("dialog[open]");
  await expect.poll(cover).not.toBeNull();
  expect(getComputedStyle(cover() ?? document.body).backgroundColor).toMatch(/^rgb\(/);
});

test("uncovers the page as soon as the browser has answered", async () => {
  vi.spyOn(navigator.mediaDevices, "getUserMedia").mockRejectedValue(new DOMException("denied", "NotAllowedError"));
  await openPage(member);
  void openOverlay("permission").then(() => openOverlay("device-tips"));
  await expect.element(blocked()).toBeVisible();
  expect(document.querySelector("dialog[open]")).toBeNull();
  await expect.element(blocked().getByRole("heading")).toHaveFocus();
});
