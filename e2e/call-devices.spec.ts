import { expect } from "@playwright/test";
import { expectVideoPlays, framesDecoded, remoteVideo } from "./support/media.ts";
import {
  acceptRules,
  callScreen,
  expectCallState,
  expectHome,
  expectLeftBy,
  expectToast,
  expectTogether,
  meet,
  test,
} from "./support/people.ts";
import { makeUnpluggable, revokePermission } from "./support/unplug.ts";
import { words } from "./support/words.ts";

test("[ERR-7, HOME-9] a refused camera is explained with steps, and works after it was allowed", async ({ person }) => {
  const ana = await person("ana", { devices: "refused" });
  await ana.getByRole("button", { name: words("home.start") }).click();
  await ana.getByRole("button", { name: words("perm.go") }).click();
  const tips = ana.getByRole("dialog", { name: words("denied.title") });
  await expect(tips.getByText(words("denied.chrome.1"))).toBeVisible();
  await expect(tips.getByText(words("denied.chrome.2"))).toBeVisible();
  await expect(tips.getByText(words("denied.back"))).toBeVisible();

  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeVisible();
  await ana.context().grantPermissions(["camera", "microphone"]);
  await tips.getByRole("button", { name: words("common.retry") }).click();
  await expect(tips).toBeHidden();
  await acceptRules(ana);
  await expectCallState(ana, "searching");
});

test("[CALL-10] without a camera the page says which device is missing", async ({
  playwright,
  launchOptions,
  person,
}) => {
  const args = (launchOptions.args ?? []).map((arg) =>
    arg.startsWith("--use-fake-device") ? "--use-fake-device-for-media-stream=device-count=0" : arg,
  );
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  try {
    const page = await person("ana", { browser });
    await page.getByRole("button", { name: words("home.start") }).click();
    const tips = page.getByRole("dialog", { name: words("device.noCamera") });
    const rows = tips.getByRole("listitem");
    await expect(rows.nth(0).getByText(words("device.missing"))).toBeVisible();
    await expect(rows.nth(1).getByText(words("device.found"))).toBeVisible();
    await tips.getByRole("button", { name: words("common.retry") }).click();
    await expect(tips).toBeVisible();
  } finally {
    await browser.close();
  }
});

test("[CALL-8] a camera that is unplugged ends the call, is asked for, and mends it when it is back", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana", { before: makeUnpluggable }), person("bo")]);
  await meet(ana, bo);
  await ana.evaluate(() => window.unplugCamera());
  await expectToast(ana, "notice.deviceLost");
  await expectLeftBy(bo, "Ana");
  const tips = ana.getByRole("dialog", { name: words("device.noCamera") });
  await expect(tips.getByText(words("device.missing"))).toBeVisible();
  await ana.evaluate(() => window.plugCameraIn());
  await expect(tips).toBeHidden();
  await expectHome(ana);
  await expect(ana.getByText(words("home.only"))).toBeVisible();
});

test("[CALL-8] a permission that is taken back in a call ends the tracks and the call", async ({ person }) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  await revokePermission(ana);
  await expectToast(ana, "notice.deviceLost");
  await expectHome(ana);
  await expectLeftBy(bo, "Ana");
  await ana.getByRole("button", { name: words("home.start") }).click();
  await ana.getByRole("button", { name: words("perm.go") }).click();
  await expect(ana.getByRole("dialog", { name: words("denied.title") })).toBeVisible();
});

test("[CALL-16] camera and microphone switches are seen by the other side, and the call goes on", async ({
  person,
}) => {
  const [ana, bo] = await Promise.all([person("ana"), person("bo")]);
  await meet(ana, bo);
  const camera = callScreen(ana).getByRole("button", { name: words("home.camMute") });
  const microphone = callScreen(ana).getByRole("button", { name: words("home.micMute") });
  await camera.click();
  await expect(camera).toHaveAttribute("aria-pressed", "true");
  await expect(bo.getByText(words("call.cameraOff", { name: "Ana" }))).toBeVisible();
  await expect(remoteVideo(bo)).toBeHidden();
  await microphone.click();
  await expect(bo.getByText(words("call.micOff"))).toBeVisible();
  const seen = await framesDecoded(ana);
  await expect.poll(() => framesDecoded(ana)).toBeGreaterThan(seen + 5);

  await camera.click();
  await microphone.click();
  await expect(bo.getByText(words("call.cameraOff", { name: "Ana" }))).toBeHidden();
  await expect(bo.getByText(words("call.micOff"))).toBeHidden();
  await expectVideoPlays(bo);
  await expectTogether(ana, bo);
});
