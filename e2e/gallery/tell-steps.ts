import type { Page } from "@playwright/test";
import { installFakePush } from "@fava/web/testing/fake-push.ts";
import type { Answers } from "@fava/web/testing/fixture-world.ts";
import { galleryNowMs } from "@fava/web/testing/fixtures.ts";

/** With which the browsers of scenes subscribe. */
export const pushKey = [4, ...Array.from({ length: 64 }, (_none, at) => at)];

/** A server that tells people when somebody comes, and told this browser nothing so far. */
export const tellAnswers: Answers = {
  pushInfo: { key: Buffer.from(pushKey).toString("base64url"), choice: null },
  pushAdd: ({ kinds, names, quiet, offset_min }) => ({ kinds, names, quiet, offset_min }),
  matchTell: ({ on }) => ({ until: on === 1 ? galleryNowMs + 86_400_000 : null }),
};

/** From now on the browser could tell something; its owner has not been asked. */
export function letTell(page: Page): Promise<unknown> {
  return page.evaluate(installFakePush, { permission: "default" as const });
}
