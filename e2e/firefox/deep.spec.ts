import { expect, type Page } from "@playwright/test";
import { launchFirefox } from "../support/firefox.ts";
import { befriend } from "../support/friends.ts";
import { fixVolume, mutableCamera, suspendSound } from "../support/ios.ts";
import { expectVideoPlays, remoteVideo } from "../support/media.ts";
import { acceptRules, meet, test } from "../support/people.ts";
import { openPeoplePanel, peopleTab, rowOf } from "../support/people-panel.ts";
import { startPushService } from "../support/push-service.ts";
import { words } from "../support/words.ts";

test.describe("in Firefox", { tag: "@firefox-deep" }, () => {
  test("stays signed in after a reload, and calls, in a private window", async ({ person, partner, playwright }) => {
    const browser = await launchFirefox(playwright, { "browser.privatebrowsing.autostart": true });
    const [ana, bo] = await Promise.all([person({ name: "Ana Private" }, { browser }), partner({ name: "Bo Public" })]);
    await ana.reload();
    await expect(ana.getByRole("button", { name: words("home.account") })).toBeVisible();
    await meet(ana, bo);
    await browser.close();
  });
});

test.describe("in Firefox", { tag: "@firefox-deep" }, () => {
  test.use({ serviceWorkers: "allow" });

  test("turns notifications on and off", async ({ person, playwright }) => {
    await using service = await startPushService();
    const browser = await launchFirefox(playwright, service.preferences);
    const page = await person({ name: "Ana Notified" }, { browser });
    await page.context().grantPermissions(["notifications"]);
    const messages = await messagesSwitch(page);
    await expect(messages).toHaveAttribute("aria-checked", "false");
    await messages.click();
    await expect(messages).toHaveAttribute("aria-checked", "true");
    expect(await subscriptionOf(page)).toMatch(/^https:\/\/updates\.push\.services\.mozilla\.com\//);

    await page.reload();
    const again = await messagesSwitch(page);
    await expect(again).toHaveAttribute("aria-checked", "true");
    await again.click();
    await expect(again).toHaveAttribute("aria-checked", "false");
    await expect.poll(() => subscriptionOf(page)).toBeNull();
    await browser.close();
  });
});

test.describe("in Firefox, as on iOS", { tag: "@firefox-deep" }, () => {
  test("mutes the partner by a button where a page cannot set the volume", async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Fixed" }, { before: fixVolume }),
      partner({ name: "Bo Loud" }),
    ]);
    await meet(ana, bo);
    await expect(ana.getByRole("slider", { name: words("call.volume") })).toHaveCount(0);
    const mute = ana.getByRole("button", { name: words("call.muteSound") });
    const isMuted = () => remoteVideo(ana).evaluate((video: HTMLVideoElement) => video.muted);
    for (const muted of [true, false]) {
      await mute.click();
      await expect(mute).toHaveAttribute("aria-pressed", String(muted));
      expect(await isMuted()).toBe(muted);
    }
  });

  test("[CALL-136] tells the partner that the system has taken the camera, and sends video when it returns", async ({
    person,
    partner,
  }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Muted" }, { before: mutableCamera }),
      partner({ name: "Bo Sees" }),
    ]);
    await meet(ana, bo);
    await ana.evaluate(() => window.setCameraMuted(true));
    await expect(ana.getByText(words("call.ownCameraPaused")).first()).toBeVisible();
    await expect(bo.getByText(words("call.cameraOff", { name: "Ana Muted" }))).toBeVisible();
    await ana.evaluate(() => window.setCameraMuted(false));
    await expect(ana.getByText(words("call.ownCameraPaused"))).toHaveCount(0);
    await expect(bo.getByText(words("call.cameraOff", { name: "Ana Muted" }))).toBeHidden();
    await expectVideoPlays(bo);
  });

  test("rings in silence until a press resumes the suspended sound", async ({ person, partner }) => {
    const [ana, bo] = await Promise.all([
      person({ name: "Ana Silent" }, { before: suspendSound }),
      partner({ name: "Bo Rings" }),
    ]);
    await befriend(ana, bo);
    await ana.evaluate(() => localStorage.setItem("ringTone", "1"));
    await ana.reload();
    await expect(ana.getByRole("button", { name: words("home.account") })).toBeVisible();
    const panel = await openPeoplePanel(bo);
    await peopleTab(bo, "friends").click();
    await rowOf(panel, "Ana Silent")
      .getByRole("button", { name: words("ring.callName", { name: "Ana Silent" }) })
      .click();
    await acceptRules(bo);
    const question = ana.getByRole("alertdialog", { name: words("ring.isCalling", { name: "Bo Rings" }) });
    await expect(question).toBeVisible();
    const sound = () => ana.evaluate(() => window.soundOfTheTest);
    const looks = (await sound()).looks;
    // The tone is due several times.
    await expect.poll(async () => (await sound()).looks).toBeGreaterThan(looks + 2);
    expect(await sound()).toMatchObject({ contexts: 1, notes: 0 });
    await question.getByRole("heading").click();
    await expect.poll(async () => (await sound()).notes).toBeGreaterThanOrEqual(2);
    await question.getByRole("button", { name: words("ring.decline") }).click();
    await expect(question).toBeHidden();
  });
});

async function messagesSwitch(page: Page) {
  await page.getByRole("button", { name: words("home.account") }).click();
  await page.getByRole("menuitem", { name: words("menu.account") }).click();
  return page
    .getByRole("region", { name: words("notify.title") })
    .getByRole("switch", { name: words("notify.messages") });
}

/** The address of the browser's subscription. */
function subscriptionOf(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    return (await pushManager.getSubscription())?.endpoint ?? null;
  });
}
