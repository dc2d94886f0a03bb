import { expect, test } from "vitest";
import { appealAddress, tokenIn } from "./appeal-link.ts";

const token = `12.1767225600000.${"a-_9".repeat(10)}abc`;

test("writes and reads the token of an appeal in the fragment, and nothing else", () => {
  const { hash, search } = new URL(appealAddress(token), "https://fava.example");
  expect(search).toBe("");
  expect(tokenIn(hash)).toBe(token);
  for (const wrong of ["", "#", "#1.2.short", `#${token}x`, token, `#${token}\n`]) expect(tokenIn(wrong)).toBeNull();
});
