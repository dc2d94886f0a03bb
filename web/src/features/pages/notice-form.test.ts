import { afterEach, beforeEach, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { Refusal, silence } from "#testing/fixture-world.ts";
import { noticeToken } from "#testing/notice-fixtures.ts";
import { ownUser } from "#testing/own-user.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { missingField, type NoticeDraft, noticeForm, noticeTokenIn } from "./notice-form.ts";

const complete: Partial<NoticeDraft> = {
  kind: "intimate",
  text: "It shows me.",
  signature: "Ana",
  email: "ana@example.com",
  isInGoodFaith: true,
};

let server: ServedWorld;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  server = serve({ noticeAdd: { no: "N-7001", token: noticeToken } });
});
afterEach(stopServing);

const open = (hash = "") => noticeForm(hash, (notice) => sent.push(notice));

test("sends a complete notice without the session of a signed-in user", async () => {
  await signIn(server, ownUser());
  const { store, change, send } = open("#10482193");
  expect(store.getState().draft.account).toBe("10482193");
  change(complete);
  expect(await send()).toBeNull();
  expect(server.asked("noticeAdd")).toMatchObject([
    { kind: "intimate", text: "It shows me.", account: "10482193", good_faith: 1 },
  ]);
  expect(server.tokens.at(-1)).toBe("");
  expect(sent).toEqual([{ no: "N-7001", token: noticeToken }]);
});

test.each([
  ["kind", { kind: null }],
  ["text", { text: " \u200b" }],
  ["signature", { signature: "" }],
  ["email", { email: "ana" }],
  ["faith", { isInGoodFaith: false }],
] as const)("names the missing %s and sends nothing", async (field, change) => {
  const form = open();
  form.change({ ...complete, ...change });
  expect(await form.send()).toBe(field);
  expect(form.store.getState().problem).toBe("notice.needs");
  expect(server.asked("noticeAdd")).toEqual([]);
});

test("needs neither name nor address for a notice about a minor", () => {
  const { store, change } = open();
  change({ ...complete, kind: "minor", signature: "", email: "" });
  expect(missingField(store.getState().draft)).toBeNull();
});

test.each([
  ["too many notices", new Refusal(codes.slowDown, { retry_after: 60 }), "notice.tooMany"],
  ["a rejected field", new Refusal(codes.badInput, { field: "email" }), "notice.needs"],
  ["a lost connection", silence, "appeal.failed"],
] as const)("keeps the draft after %s", async (_what, answer, problem) => {
  server.answer({ noticeAdd: answer });
  const { store, change, send } = open();
  change(complete);
  await send();
  expect(store.getState()).toMatchObject({ problem, isSending: false, draft: { text: "It shows me." } });
});

test("finds the token in the fragment of an address", () => {
  expect(noticeTokenIn(`#${noticeToken}`)).toBe(noticeToken);
  for (const hash of ["", "#10482193", "#7001.short", `#x${noticeToken}`]) expect(noticeTokenIn(hash)).toBeNull();
});
