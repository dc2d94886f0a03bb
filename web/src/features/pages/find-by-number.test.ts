import { afterEach, beforeEach, expect, test } from "vitest";
import { silence } from "#testing/fixture-world.ts";
import { otherUserOf, personOf } from "#testing/fixtures.ts";
import { serve, type ServedWorld, signIn, signOut, stopServing } from "#testing/serve.ts";
import { findByNumber } from "./SafetyPage.tsx";

let server: ServedWorld;

beforeEach(async () => {
  server = serve();
  await signIn(server);
});
afterEach(() => {
  stopServing();
});

/** The search finds one person with this number; null: nobody. */
function found(userNo: string | null): void {
  const ana = personOf("Ana", { user_id: 9 });
  server.answer({
    userSearch: { rows: userNo === null ? [] : [ana], next: null },
    userInfo: otherUserOf("Ana", { user_id: 9, user_no: userNo ?? "" }),
  });
}

test("finds the user of a number, for a report", async () => {
  found("12345678");
  await expect(findByNumber("12345678")).resolves.toEqual({ userId: 9, nickname: "Ana" });
});

test("ignores a user whose nickname starts with the digits", async () => {
  found("87654321");
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
  found(null);
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
});

test("distinguishes a failed request from nobody", async () => {
  server.answer({ userSearch: silence });
  await expect(findByNumber("12345678")).resolves.toBe("failed");
  signOut();
  await expect(findByNumber("12345678")).resolves.toBe("failed");
});
