import { afterEach, expect, test, vi } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { call } from "#lib/api/call.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { banStatus } from "#testing/appeal-status.ts";
import { appealState, loadAppeal } from "./load-appeal.ts";

vi.mock("#lib/api/call.ts");
afterEach(() => vi.resetAllMocks());

const token = "12.1767225600000.abcdefgh";
const { signal } = new AbortController();

test("[APPEAL-31] the ban is asked for with its token alone, as nobody who is signed in", async () => {
  vi.mocked(call).mockResolvedValue(banStatus());
  expect(await loadAppeal(token, signal)).toEqual(banStatus());
  expect(call).toHaveBeenCalledExactlyOnceWith(
    appealStatus,
    { appeal_token: token },
    { token: "", quiet: true, signal },
  );
});

test.each([
  [{ code: codes.badInput, reason: "" }, "none"],
  [{ code: 0, reason: "network" }, "failed"],
  [{ code: codes.serverError, reason: "" }, "failed"],
  [{ code: 0, reason: "aborted" }, null],
])("[APPEAL-31] an answer of %o means %s", async (failure, answer) => {
  vi.mocked(call).mockRejectedValue(new CallFailure(failure));
  expect(await loadAppeal(token, signal)).toBe(answer);
});

test("[APPEAL-31] what is no answer of the server is not taken for one", async () => {
  vi.mocked(call).mockRejectedValue(new TypeError("a fault of ours"));
  await expect(loadAppeal(token, signal)).rejects.toThrow("a fault of ours");
});

test("[APPEAL-31] the page shows the answer to the token of its address, and to no other", () => {
  const status = banStatus();
  expect(appealState(null, { token, answer: status })).toEqual({ kind: "none" });
  expect(appealState(token, null)).toEqual({ kind: "loading" });
  expect(appealState(token, { token: "another", answer: status })).toEqual({ kind: "loading" });
  expect(appealState(token, { token, answer: "failed" })).toEqual({ kind: "failed" });
  expect(appealState(token, { token, answer: "none" })).toEqual({ kind: "none" });
  expect(appealState(token, { token, answer: status })).toEqual({ kind: "ready", token, status });
});
