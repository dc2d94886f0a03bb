import { type CDPSession, expect, type Page } from "@playwright/test";
import type { NotificationPayload } from "@fava/wire/notifications.ts";
import { chromium } from "../../browser.config.ts";
import { test } from "../support/fixture-page.ts";
import { words } from "../support/words.ts";

// The headless shell shows no notifications.
test.use({ launchOptions: chromium });

const payload: NotificationPayload = {
  web_push: 8030,
  notification: { title: "رسالة جديدة", lang: "ar", dir: "rtl", tag: "a-tag", navigate: "/?open=messages" },
};

interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly NotificationEvent: new (type: string, about: { notification: Notification }) => Event;
}

/** A page with its worker, and what tells the worker as the push service of the browser does. */
async function withWorker(page: Page) {
  await page.context().grantPermissions(["notifications"], { origin: new URL(page.url()).origin });
  const tools = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(tools);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const tell = (told: NotificationPayload) =>
    tools.send("ServiceWorker.deliverPushMessage", {
      origin: new URL(page.url()).origin,
      registrationId,
      data: JSON.stringify(told),
    });
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications.map(({ title, lang, dir, tag }) => ({ title, lang, dir, tag }));
    });
  return { tell, shown };
}

function registrationOf(tools: CDPSession): Promise<string> {
  return new Promise((resolve, reject) => {
    tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
    tools.send("ServiceWorker.enable").catch(reject);
  });
}

test("[NOTIFY-23] a notification is shown as it was sent, a later one with its tag in its place, and a press opens what it is about in the page that is open", async ({
  world,
}) => {
  const page = await world.open({ serviceWorkers: "allow", isUsedUp: true });
  const { tell, shown } = await withWorker(page);
  await tell(payload);
  const { title, lang, dir, tag } = payload.notification;
  await expect.poll(shown).toEqual([{ title, lang, dir, tag }]);
  await tell({ ...payload, notification: { ...payload.notification, title: "later" } });
  await expect.poll(shown).toEqual([{ title: "later", lang, dir, tag }]);
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate(async () => {
    const { registration, NotificationEvent } = self as unknown as WorkerScope;
    const [notification] = await registration.getNotifications();
    if (notification) self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  });
  await expect(page.getByRole("dialog", { name: words("login.tagline") })).toBeVisible();
  await expect.poll(shown).toEqual([]);
});
