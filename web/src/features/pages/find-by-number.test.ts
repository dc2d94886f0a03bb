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

/** One person comes of the search, who has this number; null: nobody does. */
function found(userNo: string | null): void {
  const ana = personOf("Ana", { user_id: 9 });
  server.answer({
    userSearch: { rows: userNo === null ? [] : [ana], next: null },
    userInfo: otherUserOf("Ana", { user_id: 9, user_no: userNo ?? "" }),
  });
}

test("the person of a number is found, to be reported", async () => {
  found("12345678");
  await expect(findByNumber("12345678")).resolves.toEqual({ userId: 9, nickname: "Ana" });
});

test("somebody whose nickname begins with the digits is not the person of that number", async () => {
  found("87654321");
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
  found(null);
  await expect(findByNumber("12345678")).resolves.toBe("nobody");
});

test("what cannot be asked is told apart from nobody", async () => {
  server.answer({ userSearch: silence });
  await expect(findByNumber("12345678")).resolves.toBe("failed");
  signOut();
  await expect(findByNumber("12345678")).resolves.toBe("failed");
});
