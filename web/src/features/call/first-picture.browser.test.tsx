import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, meet, openSearch } from "#testing/call-page.ts";
import { remoteOf } from "#testing/fixtures.ts";
import { matchedPush } from "#testing/matched-push.ts";

const heading = (text: string) => page.getByRole("heading", { name: text });
const button = (label: string) => page.getByRole("button", { name: label });
const composer = () => page.getByRole("textbox", { name: t("call.placeholder") });
const connecting = () => t("search.connecting", { name: isolate("Bo"), country: "Brazil" });

/** Somebody was found whose picture does not come. */
const unreached = () => matchedPush("room-slow", { remote: remoteOf("Bo"), media: { role: "answerer" } });

test("[CALL-100] the search stays as it is until the picture is slow to come: then it says whom one is connected to", async () => {
  const server = await openSearch();
  const own = document.querySelector("#call section[data-status] canvas");
  expect(own).not.toBeNull();
  server.socket.push(unreached());
  await expectCallState("connecting");
  // Nothing of it is built anew, and nothing of it can be pressed any more.
  expect(document.querySelector("#call section[data-status] canvas")).toBe(own);
  await expect.element(heading(t("search.title"))).toBeVisible();
  expect(heading(t("search.title")).element().closest("[inert]")).not.toBeNull();
  await expect.element(button(t("search.stop"))).toBeVisible();
  expect(composer().query()).toBeNull();
  expect(server.asked("startVideo")).toHaveLength(0);
  await expect.element(heading(t("search.found"))).toBeVisible();
  await expect.element(page.getByText(connecting())).toBeVisible();
  await expect.element(composer()).toBeVisible();
  await expect.element(button(t("call.next"))).toBeVisible();
  await expect.poll(() => server.asked("startVideo").length).toBe(1);
});

test("[CALL-100] a search that waits for a picture is stopped by its button", async () => {
  const server = await openSearch();
  server.socket.push(unreached());
  await expectCallState("connecting");
  await button(t("search.stop")).click();
  await expect.poll(callState).toBeNull();
});

test("[CALL-102] the picture is there before the rest of the call, and its checks hold from its first moment", async () => {
  const server = await openSearch();
  const seen: { rest: boolean; covered: boolean }[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called below with the element it belongs to
  const request = HTMLVideoElement.prototype.requestVideoFrameCallback;
  vi.spyOn(HTMLVideoElement.prototype, "requestVideoFrameCallback").mockImplementation(function (
    this: HTMLVideoElement,
    act,
  ) {
    return request.call(this, (...frame) => {
      act(...frame);
      if (!this.getAttribute("aria-label")?.includes("Bo")) return;
      // Behind what the press of this moment has left to do.
      queueMicrotask(() => {
        const rest = document.querySelector("#call textarea") !== null;
        seen.push({ rest, covered: this.parentElement?.querySelector(":scope > canvas") !== null });
      });
    });
  });
  await meet(server);
  // Not yet checked at its first frame: it is covered by itself, and no more by the own picture.
  expect(seen[0]).toEqual({ rest: false, covered: true });
  await expect.element(composer()).toBeVisible();
  vi.restoreAllMocks();
});
