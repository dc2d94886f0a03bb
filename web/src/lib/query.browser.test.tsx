import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { codes } from "@fava/wire/codes.ts";
import { accountInfo } from "@fava/wire/endpoints/account.ts";
import { beanStatement } from "@fava/wire/endpoints/beans.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { queryClient, retryAfterSeconds, useEndpointPages, useEndpointQuery } from "#lib/query.ts";
import { accountInfo as infoOf } from "#testing/account-fixtures.ts";
import { fullStatement, type StatementPage } from "#testing/bean-fixtures.ts";
import { type Answers, Refusal, silence } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";
import { heldAnswer } from "#testing/held-answer.ts";
import { openPage } from "#testing/open-page.tsx";

const nowMs = Date.now();
const user_id = ana.user_id;
const row = { ...fullStatement(nowMs).rows[0] } as StatementPage["rows"][number];
const page = (ids: string[], next: string | null = null): StatementPage => ({
  rows: ids.map((id) => ({ ...row, id })),
  next,
});

/** The rows of a filter as a list shows them, before a server that answers so. */
async function list(beanStatement_: NonNullable<Answers["beanStatement"]>) {
  const server = await openPage({ as: ana, answers: { beanStatement: beanStatement_ } });
  const hook = await renderHook(
    (filter: 0 | 1 | 2 | 3 = 0) => useEndpointPages(beanStatement, { user_id, filter }, { keyOf: ({ id }) => id }),
    { initialProps: 0 },
  );
  const ids = () => hook.result.current.data?.rows.map(({ id }) => id);
  return { server, ids, hook, pages: () => hook.result.current };
}

test("pages follow each other by the cursor until the last one, and no row comes twice", async () => {
  const { server, pages, ids } = await list(({ cursor }) =>
    cursor === undefined ? page(["3", "2"], "2") : page(["2", "1"]),
  );
  await expect.poll(ids).toEqual(["3", "2"]);
  await pages().fetchNextPage();
  await expect.poll(ids).toEqual(["3", "2", "1"]);
  expect(pages().hasNextPage).toBe(false);
  expect(server.asked("beanStatement").map(({ cursor }) => cursor)).toEqual([undefined, "2"]);
});

test("a page that does not come leaves the rows, and can be asked for again", async () => {
  const { server, pages, ids } = await list(page(["3"], "3"));
  await expect.poll(ids).toEqual(["3"]);
  server.answer({ beanStatement: silence });
  await pages().fetchNextPage();
  await expect.poll(() => pages().isFetchNextPageError).toBe(true);
  expect(ids()).toEqual(["3"]);
  server.answer({ beanStatement: page(["2"]) });
  await pages().fetchNextPage();
  await expect.poll(ids).toEqual(["3", "2"]);
});

test("a list that could not be loaded says so until it is asked for again", async () => {
  const { server, pages, ids } = await list(silence);
  await expect.poll(() => pages().isError).toBe(true);
  const answer = heldAnswer<StatementPage>();
  server.answer({ beanStatement: () => answer.answer });
  void pages().refetch();
  await expect.poll(() => pages().isPending).toBe(true);
  answer.give(page(["3"]));
  await expect.poll(ids).toEqual(["3"]);
});

test("another filter begins anew, and late answers to what was asked before are dropped", async () => {
  const late = heldAnswer<StatementPage>();
  const other = heldAnswer<StatementPage>();
  const { ids, hook, pages } = await list(({ filter, cursor }) => {
    if (filter === 2) return other.answer;
    return cursor === undefined ? page(["3"], "3") : late.answer;
  });
  await expect.poll(ids).toEqual(["3"]);
  void pages().fetchNextPage();
  await hook.rerender(2);
  await expect.poll(() => pages().isPending).toBe(true);
  other.give(page(["1"]));
  await expect.poll(ids).toEqual(["1"]);
  late.give(page(["9"]));
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  expect(ids()).toEqual(["1"]);
});

test("asking anew keeps the rows until the answer takes their place, and where none comes", async () => {
  const { server, pages, ids } = await list(page(["1", "2"]));
  await expect.poll(ids).toEqual(["1", "2"]);
  server.answer({ beanStatement: silence });
  await pages().refetch();
  expect(ids()).toEqual(["1", "2"]);
  server.answer({ beanStatement: page(["5", "1"]) });
  await pages().refetch();
  await expect.poll(ids).toEqual(["5", "1"]);
});

test("a call is made again by itself once, and only where the server names a short wait", async () => {
  const named = (code: number, data: object) => retryAfterSeconds(new RequestFailure({ code, reason: "", data }));
  expect(named(codes.slowDown, { retry_after: 3 })).toBe(3);
  expect(named(codes.slowDown, { retry_after: 60 })).toBeNull();
  expect(named(codes.serverError, {})).toBeNull();
  expect(retryAfterSeconds(new Error("ours"))).toBeNull();

  const slow = new Refusal(codes.slowDown, { retry_after: 0 });
  const server = await openPage({ as: ana, answers: { accountInfo: slow } });
  const { result } = await renderHook(() => useEndpointQuery(accountInfo, { user_id }));
  await expect.poll(() => result.current.isError).toBe(true);
  expect(server.asked("accountInfo")).toHaveLength(2);
  server.answer({ accountInfo: silence });
  await result.current.refetch();
  expect(server.asked("accountInfo")).toHaveLength(3);
});

test("what one person has seen is gone with their session", async () => {
  await openPage({ as: ana, answers: { accountInfo: infoOf(nowMs) } });
  const kept = { gcTime: Number.POSITIVE_INFINITY };
  const { result, unmount } = await renderHook(() => useEndpointQuery(accountInfo, { user_id }, kept));
  await expect.poll(() => result.current.isSuccess).toBe(true);
  await unmount();
  expect(queryClient.getQueryCache().getAll()).toHaveLength(1);
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: "loginToken" }));
  expect(queryClient.getQueryCache().getAll()).toHaveLength(0);
});
