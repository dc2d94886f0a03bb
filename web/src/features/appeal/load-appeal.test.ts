import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { onRequestEvent } from "#lib/api/request-events.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { queryClient } from "#lib/query.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { silence } from "#testing/fixture-world.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { appealQuery, appealState } from "./load-appeal.ts";

let server: ServedWorld;

beforeEach(() => void (server = serve({ appealStatus: banStatus() })));
afterEach(() => {
  queryClient.clear();
  stopServing();
});

const token = "12.1767225600000.abcdefgh";
const unanswered = { data: undefined, error: null };

test("requests the ban with its token only, without a session", async () => {
  await signIn(server);
  expect(await queryClient.fetchQuery(appealQuery(token))).toEqual(banStatus());
  expect(server.asked("appealStatus")).toMatchObject([{ appeal_token: token }]);
  expect(server.tokens.at(-1)).toBe("");
});

test("reports a missing response only on the page", async () => {
  const told = vi.fn<() => void>();
  const stop = onRequestEvent(told);
  server.answer({ appealStatus: silence });
  await expect(queryClient.fetchQuery({ ...appealQuery(token), retry: false })).rejects.toThrow(RequestFailure);
  stop();
  expect(told).not.toHaveBeenCalled();
});

test.each([
  [{ code: codes.badInput, reason: "" }, "none"],
  [{ code: 0, reason: "network" }, "failed"],
  [{ code: codes.serverError, reason: "" }, "failed"],
])("treats the response %o as %s", (failure, kind) => {
  expect(appealState(token, { data: undefined, error: new RequestFailure(failure) })).toEqual({ kind });
});

test("rejects an invalid response", async () => {
  vi.spyOn(crypto.subtle, "digest").mockRejectedValue(new TypeError("a fault of ours"));
  await expect(queryClient.fetchQuery(appealQuery(token))).rejects.toThrow("a fault of ours");
});

test("shows the response to the token in its address, and to no other", () => {
  const status = banStatus();
  expect(appealState(null, { data: status, error: null })).toEqual({ kind: "none" });
  expect(appealState(token, unanswered)).toEqual({ kind: "loading" });
  queryClient.setQueryData(appealQuery("another").queryKey, status);
  expect(queryClient.getQueryData(appealQuery(token).queryKey)).toBeUndefined();
  expect(appealState(token, { data: status, error: null })).toEqual({ kind: "ready", token, status });
});
