import { type CDPSession, expect, type Page } from "@playwright/test";
import { appealToken, decidedStatusOf } from "@fava/web/testing/appeal-fixtures.ts";
import { ana } from "@fava/web/testing/fixtures.ts";
import { conversationOf, Inbox } from "@fava/web/testing/message-fixtures.ts";
import { conversationPath, type NotificationPayload, notifiedAppealPath } from "@fava/wire/notifications.ts";
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
  opened: string[];
  readonly clients: object;
  readonly registration: ServiceWorkerRegistration;
  readonly NotificationEvent: new (type: string, about: { notification: Notification }) => Event;
}

/** A page with its worker, and a function that sends the worker a push as the browser's push service does. */
async function withWorker(page: Page) {
  await page.context().grantPermissions(["notifications"], { origin: new URL(page.url()).origin });
  const tools = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(tools);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications.map(({ title, lang, dir, tag }) => ({ title, lang, dir, tag }));
    });
  // Repeats until it is shown, replacing itself: a push service, too, keeps pushes for a worker that is not ready.
  const tell = (told: NotificationPayload) =>
    expect.poll(async () => {
      const origin = new URL(page.url()).origin;
      await tools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(told) });
      return shown();
    });
  const press = async () => {
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(async () => {
      const { registration, NotificationEvent } = self as unknown as WorkerScope;
      const [notification] = await registration.getNotifications();
      if (notification) self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    });
  };
  // A browser opens windows only for a real press.
  const opened = async (): Promise<string[]> => {
    const [worker] = page.context().serviceWorkers();
    return (await worker?.evaluate(() => (self as unknown as WorkerScope).opened)) ?? [];
  };
  const keepOpened = async () => {
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(() => {
      const scope = self as unknown as WorkerScope;
      scope.opened = [];
      const openWindow = async (address: string | URL) => {
        scope.opened.push(String(address));
        return null;
      };
      Object.defineProperty(scope.clients, "openWindow", { value: openWindow });
    });
  };
  return { tell, shown, press, keepOpened, opened };
}

function registrationOf(tools: CDPSession): Promise<string> {
  return new Promise((resolve, reject) => {
    tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
    tools.send("ServiceWorker.enable").catch(reject);
  });
}

test("shows a notification as sent, replaces it by a later one with its tag, and opens its topic in the open page", async ({
  world,
}) => {
  const page = await world.open({ serviceWorkers: "allow", isUsedUp: true });
  const { tell, shown, press } = await withWorker(page);
  const { title, lang, dir, tag } = payload.notification;
  await tell(payload).toEqual([{ title, lang, dir, tag }]);
  const later = { ...payload, notification: { ...payload.notification, title: "later" } };
  await tell(later).toEqual([{ title: "later", lang, dir, tag }]);
  await press();
  await expect(page.getByRole("dialog", { name: words("login.tagline") })).toBeVisible();
  await expect.poll(shown).toEqual([]);
});

test("opens the conversation of a message notification", async ({ world }) => {
  const inbox = new Inbox();
  const bo = conversationOf("Bo");
  inbox.add(bo, ["are you there?"]);
  const page = await world.open({ as: ana, answers: inbox.answers, serviceWorkers: "allow", isUsedUp: true });
  const { tell, press } = await withWorker(page);
  const navigate = conversationPath({ with: bo.externalId, to: ana.externalId });
  await tell({ ...payload, notification: { ...payload.notification, navigate } }).toHaveLength(1);
  await press();
  await expect(page.getByRole("log").getByText("are you there?")).toBeVisible();
  expect(page.url()).not.toContain(bo.externalId);
});

test("opens the appeal page of an answer notification, in a new window beside the home screen", async ({ world }) => {
  const page = await world.open({
    stored: { appealTold: appealToken },
    answers: { appealStatus: decidedStatusOf(Date.now(), { state: "upheld" }) },
    serviceWorkers: "allow",
    isUsedUp: true,
  });
  const { tell, press, keepOpened, opened } = await withWorker(page);
  await keepOpened();
  await tell({ ...payload, notification: { ...payload.notification, navigate: notifiedAppealPath } }).toHaveLength(1);
  await press();
  const address = new URL(notifiedAppealPath, page.url()).href;
  await expect.poll(opened).toEqual([address]);
  await page.goto(address);
  await expect(page.getByText(words("appeal.upheld"))).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`#${appealToken}$`));
});
