import { expect } from "@playwright/test";
import type { NotificationPayload } from "@fava/wire/notifications.ts";
import { fakeBrowser } from "@fava/server/test/fakes/fake-browser.ts";
import { befriend, callAs, selfOf } from "../../support/friends.ts";
import { acceptRules, expectHome, expectTogether, test } from "../../support/people.ts";
import { openPeoplePanel, peopleTab, rowOf } from "../../support/people-panel.ts";
import { emptyPath } from "../../support/session.ts";
import { words } from "../../support/words.ts";

test(
  "declines a ring, accepts the next, and notifies a friend without a page, who accepts there",
  { tag: "@deep" },
  async ({ person }) => {
    const [ana, bo] = await Promise.all([person({ name: "Ana Rings" }), person({ name: "Bo Takes" })]);
    await befriend(ana, bo);
    const ring = async () => {
      const panel = await openPeoplePanel(ana);
      await peopleTab(ana, "friends").click();
      await rowOf(panel, "Bo Takes")
        .getByRole("button", { name: words("ring.callName", { name: "Bo Takes" }) })
        .click();
    };
    const question = bo.getByRole("alertdialog", { name: words("ring.isCalling", { name: "Ana Rings" }) });

    await ring();
    await acceptRules(ana);
    await question.getByRole("button", { name: words("ring.decline") }).click();
    await ana
      .getByRole("dialog", { name: words("ring.notTaken", { name: "Bo Takes" }) })
      .getByRole("button", { name: words("common.ok") })
      .click();
    await expect(question).toBeHidden();

    await ring();
    await question.getByRole("button", { name: words("ring.accept") }).click();
    await acceptRules(bo);
    await expectTogether(ana, bo);
    await bo.getByRole("button", { name: words("call.end") }).click();
    await Promise.all([expectHome(ana), expectHome(bo)]);

    const [self, other] = [await selfOf(ana), await selfOf(bo)];
    const { target } = fakeBrowser("https://fcm.googleapis.com/fcm/send/rings-story");
    const choice = { kinds: "2", names: 1, quiet: 0, offset_min: 0 };
    await callAs(bo, "/api/push/add", { user_id: other.user_id, ...target, ...choice });
    await bo.goto(emptyPath);
    const presence = async () => {
      const { rows } = await callAs(ana, "/api/user/friend/list", { user_id: self.user_id });
      return (rows as { presence: string }[])[0]?.presence;
    };
    await expect.poll(presence, { timeout: 60_000 }).toBe("offline");

    await ring();
    const told = async () => {
      const kept = (await (await ana.request.get("/sandbox/push/messages")).json()) as {
        endpoint: string;
        payload: string;
      }[];
      return kept
        .filter(({ endpoint }) => endpoint === target.endpoint)
        .map(({ payload }) => JSON.parse(payload) as NotificationPayload);
    };
    await expect.poll(told).toMatchObject([{ notification: { title: "Call from Ana Rings", renotify: true } }]);
    const [{ notification } = { notification: { navigate: "" } }] = await told();
    await bo.goto(notification.navigate);
    await question.getByRole("button", { name: words("ring.accept") }).click();
    await expectTogether(ana, bo);
    expect(await told()).toHaveLength(1);
    await bo.getByRole("button", { name: words("call.end") }).click();
    await Promise.all([expectHome(ana), expectHome(bo)]);
  },
);
