import { kindWordCallMs } from "@fava/wire/limits.ts";
import { pushCodes } from "@fava/wire/pushes.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { callStore } from "#features/call/machine/call-store.ts";
import { isolate } from "#lib/format.ts";
import { t } from "#lib/i18n.ts";
import { expectCallState, expectHome, openCall } from "#testing/call-page.ts";
import { silence } from "#testing/fixture-world.ts";
import { ana, personOf } from "#testing/fixtures.ts";
import { openPage } from "#testing/open-page.tsx";
import { expectToast } from "#testing/page-steps.ts";

const name = isolate("Bo");
const offer = () => page.getByRole("button", { name: t("kind.offer", { name }) });
const word = (of: 1 | 2 | 3 | 4) => page.getByRole("button", { name: t(`kind.${of}`) });

/** A call that began this long ago. */
async function openCallOf(ms: number) {
  const opened = await openCall({ answers: { kindSend: {} } });
  const { call } = callStore.getState();
  if (call.status !== "in-call") throw new Error("no call");
  callStore.setState({ call: { ...call, startedAtMs: Date.now() - ms } });
  return opened;
}

test("offers four kind words when the partner left a long call, and sends one", async () => {
  const { server, roomId } = await openCallOf(kindWordCallMs);
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  await offer().click();
  await expect.element(word(1)).toHaveFocus();
  await word(3).click();
  await expect.element(page.getByText(t("kind.done", { name }))).toBeVisible();
  expect(server.asked("kindSend")).toMatchObject([{ call_id: `match-${roomId}`, word: 3 }]);
  expect(offer().elements()).toEqual([]);
});

test("says that a word was not stored, and offers it again", async () => {
  const { server } = await openCallOf(kindWordCallMs);
  server.answer({ kindSend: silence });
  await page.getByRole("button", { name: t("call.end"), exact: true }).click();
  await expectHome();
  await offer().click();
  await word(2).click();
  await expectToast(t("error.server"));
  server.answer({ kindSend: {} });
  await word(2).click();
  await expect.element(page.getByText(t("kind.done", { name }))).toBeVisible();
  expect(server.asked("kindSend")).toHaveLength(2);
});

test("offers them at home after the user's own end of a long call", async () => {
  await openCallOf(kindWordCallMs);
  await page.getByRole("button", { name: t("call.end"), exact: true }).click();
  await expectHome();
  await expect.element(offer()).toBeVisible();
});

test("offers none after a short call", async () => {
  const { server, roomId } = await openCallOf(kindWordCallMs - 60_000);
  server.socket.push({ code: pushCodes.otherLeft, roomId, reason: "left" });
  await expectCallState("searching");
  await expect.element(page.getByRole("heading", { name: t("search.left", { name }) })).toBeVisible();
  expect(offer().elements()).toEqual([]);
});

test("shows kind words at home in quiet lines, and marks them as read", async () => {
  const nobody = { meets: [], missed: [], friends: [] };
  const kind_words = [{ person: personOf("Bo"), word: 2 as const }];
  const server = await openPage({ as: ana, answers: { homePeople: { ...nobody, kind_words }, kindRead: {} } });
  await expect.element(page.getByText(t("kind.home", { name, word: t("kind.2") }))).toBeVisible();
  await expect.poll(() => server.asked("kindRead").length).toBe(1);
});
