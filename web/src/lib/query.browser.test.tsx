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

/** A list of the rows of a filter, before a server with these responses. */
async function list(beanStatement_: NonNullable<Answers["beanStatement"]>) {
  const server = await openPage({ as: ana, answers: { beanStatement: beanStatement_ } });
  const hook = await renderHook(
    (filter: 0 | 1 | 2 | 3 = 0) => useEndpointPages(beanStatement, { user_id, filter }, { keyOf: ({ id }) => id }),
    { initialProps: 0 },
  );
  const ids = () => hook.result.current.data?.rows.map(({ id }) => id);
  return { server, ids, hook, pages: () => hook.result.current };
}

test("loads pages by the cursor to the last one, and shows no row twice", async () => {
  const { server, pages, ids } = await list(({ cursor }) =>
    cursor === undefined ? page(["3", "2"], "2") : page(["2", "1"]),
  );
  await expect.poll(ids).toEqual(["3", "2"]);
  await pages().fetchNextPage();
  await expect.poll(ids).toEqual(["3", "2", "1"]);
  expect(pages().hasNextPage).toBe(false);
  expect(server.asked("beanStatement").map(({ cursor }) => cursor)).toEqual([undefined, "2"]);
});

test("keeps the rows when a page fails, which can be requested again", async () => {
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

test("reports a list that failed to load until it is requested again", async () => {
  const { server, pages, ids } = await list(silence);
  await expect.poll(() => pages().isError).toBe(true);
  const answer = heldAnswer<StatementPage>();
  server.answer({ beanStatement: () => answer.answer });
  void pages().refetch();
  await expect.poll(() => pages().isPending).toBe(true);
  answer.give(page(["3"]));
  await expect.poll(ids).toEqual(["3"]);
});

test("starts over with another filter, and drops late responses to the earlier one", async () => {
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

test("keeps the rows while they load again, and if that fails", async () => {
  const { server, pages, ids } = await list(page(["1", "2"]));
  await expect.poll(ids).toEqual(["1", "2"]);
  server.answer({ beanStatement: silence });
  await pages().refetch();
  expect(ids()).toEqual(["1", "2"]);
  server.answer({ beanStatement: page(["5", "1"]) });
  await pages().refetch();
  await expect.poll(ids).toEqual(["5", "1"]);
});

test("retries a request once, and only if the server names a short delay", async () => {
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

test("removes one user's data with their session", async () => {
  await openPage({ as: ana, answers: { accountInfo: infoOf(nowMs) } });
  const kept = { gcTime: Number.POSITIVE_INFINITY };
  const { result, unmount } = await renderHook(() => useEndpointQuery(accountInfo, { user_id }, kept));
  await expect.poll(() => result.current.isSuccess).toBe(true);
  await unmount();
  const cached = () => queryClient.getQueryCache().find({ queryKey: [accountInfo.path, { user_id }] });
  expect(cached()).toBeDefined();
  localStorage.clear();
  window.dispatchEvent(new StorageEvent("storage", { key: "loginToken" }));
  expect(cached()).toBeUndefined();
});
