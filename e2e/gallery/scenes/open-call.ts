import { expect } from "@playwright/test";
import { installStillCamera } from "@fava/web/testing/remote-person.ts";
import { matchedPush } from "@fava/web/testing/matched-push.ts";
import { remoteOf } from "@fava/web/testing/fixtures.ts";
import { reconnectGiveUpMs } from "@fava/wire/limits.ts";
import { caller } from "../../support/fixture-call.ts";
import { socketOpened } from "../../support/fixture-page.ts";
import { toasts } from "../../support/people.ts";
import { holdToast } from "../hold-toast.ts";
import { scene } from "../scene.ts";

const apart = { controlsApart: true } as const;
const match = matchedPush("room-open", { remote: remoteOf("Bo", { price: 1_600 }) });
const prices = { gender: 1_600, country: 800, both: 2_000 };
/** A page whose user is in a call on another page. */
const inAnother = { ...caller, stored: { ...caller.stored, roomId: match.roomId } } as const;
const mayReturn = {
  ...inAnother,
  answers: { ...caller.answers, matchInfo: { status: 3, match, return_ms: reconnectGiveUpMs, prices } },
  nowMs: Date.UTC(2026, 5, 1, 12),
  /** Keeps the offer open during the examination. */
  before: () => {
    const set = window.setTimeout.bind(window);
    Object.assign(window, { setTimeout: (run: () => void, ms = 0) => (ms === 12_000 ? 0 : set(run, ms)) });
  },
} as const;
const elsewhere = {
  ...inAnother,
  answers: { ...caller.answers, matchInfo: { status: 3, match, return_ms: null, prices } },
  /** The other tab has the hold, because this page would take a free one at once. */
  before: [installStillCamera, () => void navigator.locks.request("fava-page", () => new Promise(() => undefined))],
} as const;

export const openCallScenes = [
  scene("a page that returns to its call", mayReturn, async ({ page, said, show, world }) => {
    const dialog = page.getByRole("dialog", { name: said("openCall.title", { name: "Bo" }) });
    await dialog.waitFor();
    // The countdown has a label for screen readers.
    await expect(dialog.getByRole("timer", { name: said("openCall.left") })).toBeVisible();
    await show("return-offer");
    await dialog.getByRole("button", { name: said("openCall.button", { name: "Bo" }) }).click();
    await page
      .locator("#call")
      .getByRole("heading", { name: said("openCall.going", { name: "Bo" }) })
      .waitFor();
    await show("return-going", apart);
    // The server responds after the request.
    await expect.poll(() => world.server.asked("startVideo").length).toBe(1);
    world.server.socket.push({ ...match, returned: { generation: 1_000, live_ms: 95_000 } });
    await page.locator('[data-status="connecting"]').first().waitFor();
    await show("return-connecting", apart);
  }),

  scene("a call whose partner has gone on", mayReturn, async ({ page, said, show, world }) => {
    await page.getByRole("dialog", { name: said("openCall.title", { name: "Bo" }) }).waitFor();
    await socketOpened(world.server);
    world.server.socket.push({ code: 100_002, roomId: match.roomId, reason: "left" });
    await toasts(page)
      .getByText(said("openCall.gone", { name: "Bo" }))
      .waitFor();
    await holdToast(page);
    await show("return-gone");
  }),

  scene("a call in another tab", elsewhere, async ({ page, said, show }) => {
    await page.getByRole("button", { name: said("home.start") }).click();
    await page.getByRole("dialog", { name: said("takeOver.title", { name: "Bo" }) }).waitFor();
    await show("take-over");
  }),
];
