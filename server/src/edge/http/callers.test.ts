import { expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import type { Handlers } from "#ports/handlers.ts";
import { anaKey, liveAna, openEdge, sendTo } from "#test/fixtures/edge.ts";
import { preparedCall, signedCall, signedUpload } from "#test/fixtures/signed-call.ts";

function stubs() {
  return {
    getLanguage: vi.fn<Handlers["getLanguage"]>(async () => ({}) as Awaited<ReturnType<Handlers["getLanguage"]>>),
    active: vi.fn<Handlers["active"]>(async () => ({})),
  };
}

test("treats a public request with an expired token as a visitor's, signed with the old key or the public one", async () => {
  const handlers = stubs();
  const edge = await openEdge(handlers);
  edge.tokens.set("tok_old", { kind: "ended", reason: "kicked", signKeys: [anaKey] });
  const publicKey = Buffer.from("fava-web");
  for (const caller of [
    { ...edge.ana, token: "tok_old" },
    { ...edge.ana, token: "tok_old", signKey: publicKey },
    { ...edge.ana, token: "tok_unknown", signKey: publicKey },
  ]) {
    expect(await signedCall(caller, endpoints.getLanguage, { user_id: 2 })).toMatchObject({ code: 200 });
  }
  expect(handlers.getLanguage.mock.calls.map(([{ session }]) => session)).toEqual([null, null, null]);
  expect(await signedCall({ ...edge.ana, token: "tok_unknown" }, endpoints.getLanguage, {})).toMatchObject({
    code: 461,
  });
});

test("remembers the language of a user's requests, and uses it for requests without one", async () => {
  const handlers = stubs();
  const edge = await openEdge(handlers);
  edge.tokens.set("tok_arabic", { ...liveAna, language: "ar" });
  const arabic = { ...edge.ana, token: "tok_arabic" };
  await signedCall(arabic, endpoints.active, { user_id: 1, type: 1 });
  await signedCall(arabic, endpoints.active, { user_id: 1, type: 1, language: "xx" });
  await signedCall(arabic, endpoints.active, { user_id: 1, type: 1, language: "ar" });
  await signedCall(edge.visitor, endpoints.getLanguage, { language: "ar" });
  expect(edge.followed).toEqual([]);
  await signedCall(arabic, endpoints.active, { user_id: 1, type: 1, language: "en" });
  expect(edge.followed).toEqual(["1 en"]);
  expect(handlers.active.mock.calls.map(([{ language }]) => language)).toEqual(["ar", "ar", "ar", "en"]);
});

test("[SIGN-13] accepts user_id on every endpoint, and only the caller's own", async () => {
  const handlers = { ...stubs(), getUserId: vi.fn<Handlers["getUserId"]>(async () => 2) };
  const edge = await openEdge(handlers);
  expect(await signedCall(edge.ana, endpoints.getUserId, { externalId: "bo", user_id: 1 })).toMatchObject({
    code: 200,
  });
  for (const [call, fields] of [
    [endpoints.getUserId, { externalId: "bo", user_id: 2 }],
    [endpoints.userInfo, { userId: 1, user_id: 2, otherId: 2 }],
    [endpoints.getLanguage, { user_id: 2 }],
  ] as const) {
    expect(await sendTo(edge, preparedCall(edge.ana, call, fields))).toMatchObject({
      code: 403,
      data: { reason: "not_yours" },
    });
  }
  expect(handlers.getUserId).toHaveBeenCalledOnce();
});

test("[SIGN-23] accepts an upload with the file alone, and a data report of type 3 without filters", async () => {
  const imageUpload = vi.fn<Handlers["imageUpload"]>(async () => ({}) as Awaited<ReturnType<Handlers["imageUpload"]>>);
  const edge = await openEdge({ ...stubs(), imageUpload });
  const file = Buffer.from("a picture");
  expect(await signedUpload(edge.ana, endpoints.imageUpload, { input: {}, file })).toMatchObject({ code: 200 });
  expect(imageUpload.mock.calls.map(([context]) => context.file)).toEqual([file]);
  expect(await signedCall(edge.ana, endpoints.active, { user_id: 1, type: 3 })).toMatchObject({ code: 200 });
});
