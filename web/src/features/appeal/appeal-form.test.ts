import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Code, codes } from "@fava/wire/codes.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { Refusal, type Silence, silence } from "#testing/fixture-world.ts";
import { readStored } from "#lib/storage.ts";
import { inTurn, serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { appealForm, dropDraft, keptAppealDraft } from "./appeal-form.ts";

const token = "12.1767225600000.abcdefgh";
const written = { ground: 2, text: "We were joking." } as const;
const refused = (reason: string, code: Code = codes.refused) => new Refusal(code, { reason });

let server: ServedWorld;
let sent: unknown[];

beforeEach(() => {
  sent = [];
  dropDraft();
  server = serve({ appealAdd: banStatus() });
});
afterEach(stopServing);

const open = () => appealForm(token, (status) => sent.push(status));

test("stores the draft at every change, and restores it", () => {
  const { change } = open();
  change({ ground: 2, text: "We were" });
  expect(open().store.getState()).toMatchObject({ draft: { ground: 2, text: "We were" }, problem: null });
});

test.each([
  ["a ground", { ground: null, text: "words" }],
  ["words", { ground: 1, text: " \n" }],
] as const)("sends nothing without %s, and clears the error on the next change", async (_what, draft) => {
  const { store, change, send } = open();
  change(draft);
  await send();
  expect(server.tokens).toEqual([]);
  expect(store.getState()).toMatchObject({ problem: "appeal.needText", sending: false });
  change(written);
  expect(store.getState().problem).toBeNull();
});

test("sends it once with the token only; then removes the draft and shows the response", async () => {
  await signIn(server);
  const { store, change, send } = open();
  change(written);
  const sending = Promise.all([send(), send()]);
  expect(store.getState().sending).toBe(true);
  await sending;
  expect(server.asked("appealAdd")).toMatchObject([{ appeal_token: token, ...written }]);
  expect(server.tokens.at(-1)).toBe("");
  expect(sent).toEqual([banStatus()]);
  expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
});

test("sends the address for the answer, which no draft stores, and nothing with a wrong one", async () => {
  const { store, change, send } = open();
  change(written);
  await send("ana@");
  expect(store.getState()).toMatchObject({ problem: "mail.wrong", sending: false });
  expect(server.tokens).toEqual([]);
  await send("ana@example.org");
  expect(server.asked("appealAdd")).toMatchObject([{ ...written, email: "ana@example.org" }]);
  expect(readStored("appealDraft")).toBeNull();
});

test.each<[Refusal | Silence, string]>([
  [refused("appealed_before"), "refused.appealed_before"],
  [refused("appeal_too_late"), "refused.appeal_too_late"],
  [silence, "appeal.failed"],
])("keeps the draft after the response %o, and shows %s", async (failure, problem) => {
  server.answer({ appealAdd: failure, appealStatus: silence });
  const { store, change, send } = open();
  change(written);
  await send();
  expect(store.getState()).toEqual({ draft: written, problem, sending: false });
  expect([sent, keptAppealDraft(token)]).toMatchObject([[], written]);
});

describe("an appeal whose response was lost", () => {
  const before = refused("appealed_before");
  const received = banStatus({ beans: 1 });

  test.each<Refusal | Silence>([silence, refused("", codes.serverError)])(
    "is told as sent by the next try (%o)",
    async (failure) => {
      server.answer({ appealAdd: inTurn(failure, before), appealStatus: received });
      const { change, send } = open();
      change(written);
      await send();
      await send();
      expect(server.asked("appealStatus")).toMatchObject([{ appeal_token: token }]);
      expect(server.tokens.at(-1)).toBe("");
      expect(sent).toEqual([received]);
      expect(keptAppealDraft(token)).toEqual({ ground: null, text: "" });
    },
  );

  test("can be requested again if that gets no response either", async () => {
    server.answer({ appealAdd: inTurn(silence, before), appealStatus: inTurn(silence, received) });
    const { store, change, send } = open();
    change(written);
    await send();
    await send();
    expect(store.getState()).toEqual({ draft: written, problem: "appeal.failed", sending: false });
    await send();
    expect(sent).toEqual([received]);
  });
});
