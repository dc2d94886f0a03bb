import type { Page } from "@playwright/test";
import { installFakePush } from "@fava/web/testing/fake-push.ts";
import type { Answers } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";

/** The push key of the scenes' browsers. */
export const pushKey = [4, ...Array.from({ length: 64 }, (_none, at) => at)];

/** A server that notifies users of matches, but this browser of nothing so far. */
export const notificationAnswers: Answers = {
  pushInfo: { key: Buffer.from(pushKey).toString("base64url"), choice: null },
  pushAdd: ({ kinds, names, quiet, offset_min }) => ({ kinds, names, quiet, offset_min }),
  matchSubscription: ({ on }) => ({ until: on === 1 ? galleryNowMs + 86_400_000 : null }),
};

/** From now on the browser can notify; its permission was not requested yet. */
export function allowNotifications(page: Page): Promise<unknown> {
  return page.evaluate(installFakePush, { permission: "default" as const });
}
