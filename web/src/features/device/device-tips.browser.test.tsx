import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { t } from "#lib/i18n.ts";
import { ana } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";

const member = { as: ana, stored: { neverShowRule: "1" } } as const;
const tips = () => page.getByRole("dialog", { name: t("device.busyTitle") });
const turnOn = () => page.getByRole("button", { name: t("home.turnOn") });

/** Another program has the camera that opens by itself, and there is one more. */
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

test("[DEVICE-54] whoever has another camera chooses it where it says that the one is held, and goes on with it", async () => {
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
