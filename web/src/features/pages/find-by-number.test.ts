import { beforeEach, expect, test, vi } from "vitest";
import { userInfo } from "@fava/wire/endpoints/profile.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { findByNumber } from "./SafetyPage.tsx";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");

const found = (row: { user_id: number } | null, userNo = "12345678") =>
  vi.mocked(request).mockImplementation((endpoint) => {
    const other = { user_id: row?.user_id, nickname: "Ana", user_no: userNo };
    return Promise.resolve((endpoint === userInfo ? other : { rows: row ? [row] : [], next: null }) as never);
  });

beforeEach(() => {
  vi.mocked(request).mockReset();
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as never);
});

test("[PAGE-50] the person of a number is found, to be reported", async () => {
  found({ user_id: 9 });
  await expect(findByNumber("12345678")).resolves.toEqual({ userId: 9, nickname: "Ana" });
});

test("[PAGE-50] somebody whose nickname begins with the digits is not the person of that number", async () => {
  found({ user_id: 9 }, "87654321");
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
  found(null);
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
});

test("[PAGE-50] what cannot be asked is told apart from nobody", async () => {
  vi.mocked(request).mockRejectedValue(new RequestFailure({ code: 0, reason: "network" }));
  await expect(findByNumber("12345678")).resolves.toBe("failed");
  vi.mocked(currentUser).mockReturnValue(null);
  await expect(findByNumber("12345678")).resolves.toBe("failed");
});
