import { afterEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { queryClient } from "#lib/query.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { appealQuery, appealState } from "./load-appeal.ts";

vi.mock("#lib/api/request.ts");
afterEach(() => {
  vi.resetAllMocks();
  queryClient.clear();
});

const token = "12.1767225600000.abcdefgh";
const unanswered = { data: undefined, error: null };

test("[APPEAL-31] the ban is asked for with its token alone, as nobody who is signed in", async () => {
  vi.mocked(request).mockResolvedValue(banStatus());
  expect(await queryClient.fetchQuery(appealQuery(token))).toEqual(banStatus());
  expect(request).toHaveBeenCalledExactlyOnceWith(
    appealStatus,
    { appeal_token: token },
    { token: "", quiet: true, signal: expect.any(AbortSignal) },
  );
});

test.each([
  [{ code: codes.badInput, reason: "" }, "none"],
  [{ code: 0, reason: "network" }, "failed"],
  [{ code: codes.serverError, reason: "" }, "failed"],
])("[APPEAL-31] an answer of %o means %s", (failure, kind) => {
  expect(appealState(token, { data: undefined, error: new RequestFailure(failure) })).toEqual({ kind });
});

test("[APPEAL-31] what is no answer of the server is not taken for one", async () => {
  vi.mocked(request).mockRejectedValue(new TypeError("a fault of ours"));
  await expect(queryClient.fetchQuery(appealQuery(token))).rejects.toThrow("a fault of ours");
});

test("[APPEAL-31] the page shows the answer to the token of its address, and to no other", () => {
  const status = banStatus();
  expect(appealState(null, { data: status, error: null })).toEqual({ kind: "none" });
  expect(appealState(token, unanswered)).toEqual({ kind: "loading" });
  queryClient.setQueryData(appealQuery("another").queryKey, status);
  expect(queryClient.getQueryData(appealQuery(token).queryKey)).toBeUndefined();
  expect(appealState(token, { data: status, error: null })).toEqual({ kind: "ready", token, status });
});
