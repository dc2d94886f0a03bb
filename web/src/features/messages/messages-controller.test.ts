import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { typingRepeatMs } from "@fava/wire/limits.ts";
import { folderPage, conversation, message, startMs, threadPage } from "#testing/message-makers.ts";
import { type Answer, MessagesController, type MessagesPorts, type MessagesTrouble } from "./messages-controller.ts";

const bo = conversation("bo");
const silence: { trouble: MessagesTrouble } = { trouble: { kind: "silent", problem: { kind: "network" } } };

type SendAnswer = Awaited<ReturnType<MessagesPorts["send"]>>;

/** A controller with a server that answers each message as `answers` says. */
function world(answers: (clientId: string, tries: number) => Answer<never> | "stored" = () => "stored") {
  const sent: string[] = [];
  const typing: string[] = [];
  let ids = 0;
  let isReachable = true;
  const controller = new MessagesController({
    list: async () => ({ data: folderPage([bo]) }),
    thread: async () => ({ data: threadPage(bo, []) }),
    send: async ({ clientId, text }): Promise<SendAnswer> => {
      sent.push(`${clientId} ${text}`);
      const answer = answers(clientId, sent.length);
      if (answer !== "stored") return answer;
      const stored = message(sent.length, { clientId, text, position: "right" });
      return { data: { message: stored, conversation: { ...bo, lastMessage: stored } } };
    },
    tellRead: async () => ({ data: { unread_total: 0 } }),
    answer: async () => ({ data: { conversation: null } }),
    sendTyping: (externalId) => typing.push(externalId),
    nowMs: () => Date.now(),
    newId: () => `id${(ids += 1)}`,
    isReachable: () => isReachable,
  });
  return { controller, sent, typing, setReachable: (reachable: boolean) => void (isReachable = reachable) };
}

const unsentOf = (controller: MessagesController) =>
  controller.store
    .getState()
    .unsent.get("bo")
    ?.map(({ text, state }) => `${text}: ${state}`) ?? [];

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
});
afterEach(() => {
  vi.useRealTimers();
});

test("sends a message without a response again under the same client id, until a response", async () => {
  const { controller, sent } = world((_clientId, tries) => (tries < 3 ? silence : "stored"));
  controller.say("bo", "hi");
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["id1 hi", "id1 hi", "id1 hi"]);
  expect(unsentOf(controller)).toEqual([]);
  controller.dispose();
});

test("fails a message at once without a network, and sends it when the user retries", async () => {
  const { controller, sent, setReachable } = world((_clientId, tries) => (tries === 1 ? silence : "stored"));
  setReachable(false);
  controller.say("bo", "hi");
  await vi.advanceTimersByTimeAsync(0);
  expect(unsentOf(controller)).toEqual(["hi: failed"]);
  setReachable(true);
  controller.tryAgain("bo", "id1");
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["id1 hi", "id1 hi"]);
  expect(unsentOf(controller)).toEqual([]);
  controller.dispose();
});

test("sends what was written after a rejected message", async () => {
  const refused: { trouble: MessagesTrouble } = {
    trouble: { kind: "refused", problem: { kind: "refused", reason: "personal_data", spans: [] } },
  };
  const { controller, sent } = world((clientId) => (clientId === "id1" ? refused : "stored"));
  controller.say("bo", "my number");
  controller.say("bo", "hi");
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["id1 my number", "id2 hi"]);
  expect(unsentOf(controller)).toEqual(["my number: failed"]);
  controller.dispose();
});

test("reports typing at most once every three seconds, and again after a message", () => {
  const { controller, typing } = world();
  controller.typed("bo");
  controller.typed("bo");
  vi.advanceTimersByTime(typingRepeatMs - 1);
  controller.typed("bo");
  expect(typing).toEqual(["bo"]);
  vi.advanceTimersByTime(1);
  controller.typed("bo");
  expect(typing).toEqual(["bo", "bo"]);
  controller.say("bo", "hi");
  controller.typed("bo");
  expect(typing).toEqual(["bo", "bo", "bo"]);
  controller.dispose();
});

test("stops showing a partner as typing after twice that time", async () => {
  const { controller } = world();
  controller.dispatch({ type: "session-new" });
  await vi.advanceTimersByTimeAsync(0);
  controller.takeFrame({ type: "typing", externalId: "bo" });
  expect(controller.store.getState().typing.has("bo")).toBe(true);
  await vi.advanceTimersByTimeAsync(2 * typingRepeatMs);
  expect(controller.store.getState().typing.has("bo")).toBe(false);
  controller.dispose();
});

test("sends nothing and leaves no timer after it was disposed of", async () => {
  const { controller, sent } = world(() => silence);
  controller.say("bo", "hi");
  await vi.advanceTimersByTimeAsync(0);
  controller.dispose();
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["id1 hi"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("keeps the drafts of a limited number of conversations, and drops that of a hidden user", () => {
  const { controller } = world();
  const ids = Array.from({ length: 51 }, (_, index) => index);
  for (const userId of ids) controller.keepDraft({ externalId: `person${userId}`, userId }, `to ${userId}`);
  expect(controller.draftOf("person0")).toBe("");
  expect(controller.draftOf("person1")).toBe("to 1");
  controller.dropDrafts(1);
  expect([1, 2].map((userId) => controller.draftOf(`person${userId}`))).toEqual(["", "to 2"]);
  controller.keepDraft({ externalId: "person2", userId: 2 }, "");
  expect(controller.draftOf("person2")).toBe("");
  controller.dispose();
});
