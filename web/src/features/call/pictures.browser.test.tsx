import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Shield } from "@fava/wire/socket.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { callState, expectCallState, expectHome, meet, openCall, openSearch } from "#testing/call-page.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { match } from "#testing/match.ts";
import { phone } from "#testing/open-page.tsx";

const name = isolate("Bo");
const heading = (key: Parameters<typeof t>[0]) => page.getByRole("heading", { name: t(key) });
const remoteVideo = () => page.getByLabelText(t("call.remote", { name }));
/** The remote picture is covered by its blurred copy. */
const isBlurred = () => document.querySelector("section[data-status] canvas") !== null;
/** The portrait of the other person; none where the first letter of the name stands for it. */
const portrait = () =>
  page
    .getByRole("button", { name: t("people.profileOf", { name }) })
    .element()
    .querySelector("img");

function tell(server: FixtureWorld, roomId: string, shield: Partial<Shield>): void {
  server.socket.say({ type: "shield", roomId, other: "clear", own: "clear", ...shield });
}

test("[SAFE-200] [SAFE-205] a picture is blurred and said to be checked until the server finds it clear", async () => {
  const server = await openSearch();
  const roomId = await match(server, window.remotePerson);
  await expectCallState("in-call");
  await expect.element(heading("shield.checking")).toBeVisible();
  expect(isBlurred()).toBe(true);
  expect(portrait()).toBeNull();
  tell(server, roomId, {});
  await expect.element(heading("shield.checking")).not.toBeInTheDocument();
  await expect.poll(isBlurred).toBe(false);
  expect(portrait()).not.toBeNull();
});

test("[SAFE-205] an unsure picture is hidden and says so; the chat goes on, and it comes back by itself", async () => {
  const { server, roomId } = await openCall();
  tell(server, roomId, { other: "hidden" });
  await expect.element(heading("shield.hidden")).toBeVisible();
  await expect.element(page.getByText(t("shield.hiddenText"))).toBeVisible();
  expect(isBlurred()).toBe(true);
  expect(portrait()).toBeNull();
  server.socket.chat(roomId, "Can you hear me?");
  await expect.element(page.getByText("Can you hear me?")).toBeVisible();
  const sound = remoteVideo().element() as HTMLVideoElement;
  expect([sound.muted, sound.paused]).toEqual([false, false]);
  tell(server, roomId, {});
  await expect.element(heading("shield.hidden")).not.toBeInTheDocument();
  await expect.poll(isBlurred).toBe(false);
});

test("[SAFE-206] whose picture is hidden, dark or missing is told from whom, why and what next, until it is not", async () => {
  const { server, roomId } = await openCall();
  for (const own of ["warned", "covered", "missing"] as const) {
    tell(server, roomId, { own });
    await expect.element(page.getByText(t(`shield.${own}`, { name }), { exact: true })).toBeVisible();
    await expect.element(page.getByText(t(`shield.${own}Text`))).toBeVisible();
  }
  tell(server, roomId, { own: "warned" });
  await expect.element(page.getByText(t("shield.hiddenFrom", { name }))).toBeVisible();
  await expect.element(page.getByRole("link", { name: new RegExp(`^${t("shield.rules")}`) })).toBeVisible();
  // What is wrong with the own picture changes nothing of the other one.
  expect(isBlurred()).toBe(false);
  tell(server, roomId, {});
  await expect.element(page.getByText(t("shield.warnedText"))).not.toBeInTheDocument();
  await expect.element(page.getByText(t("shield.hiddenFrom", { name }))).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test("[SAFE-210] whoever keeps pictures blurred sees one when asked for, and the next one blurred again", async () => {
  const { server, roomId } = await openCall();
  await page.getByRole("button", { name: t("shield.keep") }).click();
  await expect.element(heading("shield.kept")).toBeVisible();
  expect(isBlurred()).toBe(true);
  await page.getByRole("button", { name: t("shield.show") }).click();
  await expect.poll(isBlurred).toBe(false);
  await expect.element(remoteVideo()).toBeVisible();
  // Never one that our checks hide.
  tell(server, roomId, { other: "hidden" });
  await expect.element(heading("shield.hidden")).toBeVisible();
  await expect.element(page.getByRole("button", { name: t("shield.show") })).not.toBeInTheDocument();

  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  const next = await match(server, window.remotePerson);
  await expectCallState("in-call");
  tell(server, next, {});
  await expect.element(heading("shield.kept")).toBeVisible();
  expect(isBlurred()).toBe(true);
});

test("[SAFE-230] whoever was in a call that our checks cut is told so, searches on, and sees the beans come back", async () => {
  const { server, roomId } = await openCall({}, { remote: { price: 1_600 } });
  server.answer({ myInfo: { ...ana, credit5: 48_200 } });
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "cut" });
  await expectCallState("searching");
  await expect.element(heading("shield.cut")).toBeVisible();
  await expect.element(page.getByText(t("shield.cutPaid"))).toBeVisible();
  await expect.element(page.getByRole("img", { name: /^48,200/ })).toBeVisible();
  // And meets the next one.
  await meet(server);
});

test("[SAFE-231] a call that ended because the own picture could not be checked says so and what helps", async () => {
  const { server, roomId } = await openCall();
  const about = { roomId, type: 2, is_enough: 1, why: "unchecked", meter: null } as const;
  server.socket.push({ code: pushCodes.callMessage, ...about });
  await expectHome();
  const sheet = page.getByRole("dialog", { name: t("shield.unchecked") });
  for (const key of [
    "shield.uncheckedText",
    "shield.uncheckedCamera",
    "shield.uncheckedLight",
    "shield.uncheckedNetwork",
  ] as const)
    await expect.element(sheet.getByText(t(key))).toBeVisible();
  await sheet.getByRole("button", { name: t("shield.again") }).click();
  await expectCallState("searching");
});

test("[SAFE-225] a report during the call has no reason chosen, says what is sent, and the call goes on", async () => {
  const { server } = await openCall({ answers: { feedback: {} } }, { push: { id: "the-call" } });
  await page.getByRole("button", { name: t("people.reportName", { name }) }).click();
  const sheet = page.getByRole("dialog", { name: t("report.title") });
  await expect.element(sheet.getByText(t("report.sends"))).toBeVisible();
  expect(sheet.getByRole("radio", { checked: true }).elements()).toEqual([]);
  await sheet.getByRole("radio", { name: t("reason.report.5") }).click();
  await sheet.getByRole("button", { name: t("report.send") }).click();
  await expect.element(page.getByText(t("report.sent")).first()).toBeVisible();
  expect(server.asked("feedback")).toMatchObject([{ id: 5, user_id: ana.user_id, call_id: "the-call" }]);
  await expect.element(sheet).not.toBeInTheDocument();
  expect(callState()).toBe("in-call");
});

test.each([
  { place: "a phone on its side", window: { width: 640, height: 400 }, textPercent: 100 },
  { place: "a phone with text twice as large", window: phone, textPercent: 200 },
])(
  "[QUALITY-35] shows what is said of the own picture in a line, and the rest on a press, over neither the signs above nor the controls, on $place",
  async ({ window, textPercent }) => {
    const { server, roomId } = await openCall({ window });
    document.documentElement.style.fontSize = `${textPercent}%`;
    server.socket.say({ type: "peer-media", roomId, state: "mic_off" });
    const silent = page.getByText(t("call.micOff"));
    await expect.element(silent).toBeVisible();
    const expectBetween = () => {
      const box = document.querySelector("[data-notices]")!.getBoundingClientRect();
      for (const above of [silent.element(), page.getByRole("timer").element()])
        expect(above.getBoundingClientRect().bottom).toBeLessThanOrEqual(box.top);
      const controls = page.getByRole("toolbar", { name: t("call.controls") }).element();
      expect(box.bottom).toBeLessThan(controls.getBoundingClientRect().top);
      expect(box.height).toBeGreaterThanOrEqual(48);
    };
    for (const own of ["warned", "missing"] as const) {
      tell(server, roomId, { own });
      const [title, text] = [t(`shield.${own}`, { name }), t(`shield.${own}Text`)].map((words) =>
        page.getByText(words),
      );
      await expect.element(title!).toBeVisible();
      await expect.element(text!).not.toBeVisible();
      expectBetween();
      await page.getByRole("button", { name: t("msg.more") }).click();
      await expect.element(text!).toBeVisible();
      expectBetween();
      await page.getByRole("button", { name: t("msg.more") }).click();
    }
    document.documentElement.style.fontSize = "";
  },
);
