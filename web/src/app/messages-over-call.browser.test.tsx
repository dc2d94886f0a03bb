import { beforeEach, expect, test, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { nextGuardMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { otherUserOf } from "#testing/fixtures.ts";
import { conversationOf, Inbox } from "#testing/message-fixtures.ts";
import { desktop, phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const panel = (): Locator => page.getByRole("region", { name: t("msg.title") });
const field = (): Locator => panel().getByRole("textbox");
const bubbles = () => [...document.querySelectorAll('[role="log"] p[data-from="me"]')].map((line) => line.textContent);

beforeEach(() => void vi.useRealTimers());

/** Starts a call with Bo, a friend, and opens the conversation with Bo over it, from Bo's profile. */
async function openMessages(window: {
  width: number;
  height: number;
}): Promise<{ server: FixtureWorld; roomId: string }> {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"));
  const answers = { ...inbox.answers, userInfo: otherUserOf("Bo", { followStatus: 2 }) };
  const opened = await openCall({ answers });
  await page.viewport(window.width, window.height);
  await page.getByRole("button", { name: t("people.profileOf", { name }) }).click();
  await page
    .getByRole("dialog", { name: "Bo" })
    .getByRole("button", { name: t("other.message") })
    .click();
  await expect.element(field()).toBeVisible();
  return opened;
}

async function write(text: string): Promise<void> {
  await field().fill(text);
  await userEvent.keyboard("{Enter}");
  await expect.poll(bubbles).toEqual([text]);
}

const boxOf = (element: Element) => element.getBoundingClientRect();
const picture = () => page.getByLabelText(t("call.remote", { name }));
const lying = { width: 844, height: 390 };

for (const [size, window] of Object.entries({ desktop, phone, lying })) {
  test(`covers neither the video nor the exits of a call with messages (${size})`, async () => {
    await openMessages(window);
    await expect.poll(() => boxOf(panel().element()).height).toBeGreaterThan(240);
    const messages = boxOf(panel().element());
    const ways = ["panic.button", "call.end"] as const;
    const kept = [picture(), ...ways.map((key) => page.getByRole("button", { name: t(key), exact: true }))];
    for (const locator of kept) {
      const { left, right, top, bottom } = boxOf(locator.element());
      expect(right - left).toBeGreaterThanOrEqual(48);
      const isApart =
        right <= messages.left || left >= messages.right || bottom <= messages.top || top >= messages.bottom;
      expect(isApart).toBe(true);
    }
    // One tap on End leaves the call, as it does without the messages.
    await page.getByRole("button", { name: t("call.end"), exact: true }).click();
    await expectHome();
  });
}

for (const [size, window] of Object.entries({ desktop, phone })) {
  test(`keeps the call running under messages, which take its keys and alone close on Escape (${size})`, async () => {
    const { server } = await openMessages(window);
    await write("sent from within the call");
    expect(server.asked("messageSend")).toMatchObject([{ text: "sent from within the call" }]);
    expect(panel().element().closest("[data-theme]")?.getAttribute("data-theme")).toBe("dark");
    // While the panel has the focus, an arrow key does not start Next, even later than `nextGuardMs` after the match.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + nextGuardMs });
    (panel().element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(callState()).toBe("in-call");
    // A user in a call with a person cannot ask to meet them again.
    await expect.element(panel().getByRole("button", { name: t("people.meet") })).not.toBeInTheDocument();

    await field().click();
    // The first Escape closes the thread, the second the panel.
    for (let press = 0; press < 2; press += 1) {
      await expect.element(panel()).toBeVisible();
      await userEvent.keyboard("{Escape}");
      expect(callState()).toBe("in-call");
    }
    await expect.element(panel()).not.toBeInTheDocument();
    await expect.element(page.getByLabelText(t("call.remote", { name }))).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expectHome();
  });
}

test("keeps messages open over a call when the next partner comes", async () => {
  const { server, roomId } = await openMessages(desktop);
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  await expect.element(field()).toBeVisible();
  await write("you left");
  expect(callState()).toBe("searching");
});
