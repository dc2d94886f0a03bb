import { expect, type Page } from "@playwright/test";
import { installRemotePerson } from "@fava/web/testing/remote-person.ts";
import { ana, otherUserOf } from "@fava/web/testing/fixtures.ts";
import { conversationOf, Inbox } from "@fava/web/testing/message-fixtures.ts";
import { ringOf } from "@fava/web/testing/ring-fixtures.ts";
import { test } from "../support/fixture-page.ts";
import { messagesButton, row } from "../support/messages-panel.ts";
import { acceptRules, expectCallState } from "../support/people.ts";
import { words } from "../support/words.ts";

declare global {
  interface Window {
    /** How often the page has asked the browser for camera and microphone. */
    deviceRequests?: number;
  }
}

const told = (page: Page) => page.getByRole("dialog", { name: words("unsupported.title") });

async function readAndClose(page: Page): Promise<void> {
  await told(page)
    .getByRole("button", { name: words("common.ok") })
    .click();
  await expect(told(page)).toBeHidden();
}

test("tells a browser without WebRTC by a link, at Start and at a ring, before camera and search; messages work", async ({
  world,
}) => {
  const inbox = new Inbox();
  inbox.add(conversationOf("Bo"), ["Hello"]);
  const answers = {
    ...inbox.answers,
    ringAnswer: { state: "declined" as const },
    userInfo: otherUserOf("Bo", { followStatus: 2 }),
  };
  const page = await world.open({
    as: ana,
    answers,
    devices: "allowed",
    path: "/?open=start",
    before: [withoutWebRtc, countDeviceRequests],
  });
  await expect(told(page).getByText(words("unsupported.blocked"))).toBeVisible();
  await expect(told(page).getByText(words("unsupported.allow"))).toBeVisible();
  await readAndClose(page);

  // The place of the local video says so as well.
  await expect(page.getByText(words("unsupported.title"))).toBeVisible();
  await page.getByRole("button", { name: words("home.start") }).click();
  await readAndClose(page);

  world.server.socket.social(ringOf("Bo", "ring-1"));
  await page.getByRole("button", { name: words("ring.accept"), exact: true }).click();
  await readAndClose(page);
  await expect.poll(() => world.server.asked("ringAnswer")).toMatchObject([{ accept: 0 }]);

  await messagesButton(page).click();
  await expect(row(page, "Bo")).toBeVisible();

  expect(world.server.asked("matchStart")).toEqual([]);
  expect(world.server.asked("testRoomSign")).toEqual([]);
  expect(await page.evaluate(() => window.deviceRequests ?? 0)).toBe(0);
});

test("tells a visitor whose browser is too old which ones can, before the sign-in", async ({ world }) => {
  const page = await world.open({ before: belowFloor });
  await page.getByRole("button", { name: words("home.start") }).click();
  await expect(told(page).getByText(words("unsupported.old"))).toBeVisible();
  await expect(told(page).getByText(words("unsupported.update"))).toBeVisible();
  await expect(told(page)).toContainText("Chrome or Edge 123, Firefox 132, Safari 17.5");
  await readAndClose(page);
});

test("lets a capable browser call whatever its user agent says", async ({ world }) => {
  const page = await world.open({ as: ana, devices: "allowed", before: [installRemotePerson, oddUserAgent] });
  await page.getByRole("button", { name: words("home.start") }).click();
  await acceptRules(page);
  await expectCallState(page, "searching");
});

// Each runs in the page before its own scripts.

function withoutWebRtc(): void {
  Object.defineProperty(window, "RTCPeerConnection", { value: undefined });
}

function countDeviceRequests(): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = (wanted) => {
    window.deviceRequests = (window.deviceRequests ?? 0) + 1;
    return ask(wanted);
  };
}

function belowFloor(): void {
  Reflect.deleteProperty(HTMLVideoElement.prototype, "requestVideoFrameCallback");
}

function oddUserAgent(): void {
  const value = "Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/60.0 Safari/9";
  Object.defineProperty(Navigator.prototype, "userAgent", { get: () => value });
}
