import { expect, test, vi } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import type { Handlers } from "#ports/handlers.ts";
import { anaKey, anaSession, bannedNotice, openEdge } from "#test/fixtures/edge.ts";
import { signedCall } from "#test/fixtures/signed-call.ts";

test("[APPEAL-11] opens only the endpoints that accept an appeal token, signed with the public key", async () => {
  const wallet = vi.fn<Handlers["beanStatement"]>(async () => ({}) as Awaited<ReturnType<Handlers["beanStatement"]>>);
  const start = vi.fn<Handlers["matchStart"]>();
  const edge = await openEdge({ matchStart: start, beanStatement: wallet });
  const session = { ...anaSession, id: "appeal:1" };
  edge.tokens.set("tok_appeal", { kind: "appeal", session, notice: bannedNotice, language: "en" });
  const banned = { ...edge.visitor, token: "tok_appeal", signKey: Buffer.from("fava-web") };
  expect(await signedCall(banned, endpoints.beanStatement, { user_id: 1, filter: 0 })).toMatchObject({ code: 200 });
  expect(await signedCall(banned, endpoints.matchStart, { user_id: 1, sex: 0, country: 0 })).toMatchObject({
    code: 408,
    data: bannedNotice,
  });
  expect(start).not.toHaveBeenCalled();
  const wrongKey = { ...banned, signKey: anaKey };
  expect(await signedCall(wrongKey, endpoints.beanStatement, { user_id: 1, filter: 0 })).toMatchObject({ code: 461 });
  const open = Object.values(endpoints).filter(({ appeal }) => appeal);
  expect(open.map(({ path }) => path).toSorted((one, other) => one.localeCompare(other))).toEqual([
    "/api/bean/statement",
    "/api/bean/wallet",
    "/api/order/status",
    "/api/order/withdraw",
    "/api/user/account/del",
    "/api/user/account/info",
    "/api/user/export",
  ]);
});
