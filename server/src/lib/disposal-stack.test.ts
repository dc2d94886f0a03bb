import { expect, test } from "vitest";
import { DisposalStack } from "./disposal-stack.ts";

test("what began last ends first, each before the next, and once only", async () => {
  const ended: string[] = [];
  const stack = new DisposalStack();
  stack.use({ [Symbol.dispose]: () => void ended.push("first") });
  stack.use({
    [Symbol.asyncDispose]: async () => {
      await Promise.resolve();
      ended.push("second");
    },
  });
  stack.defer("third", () => void ended.push("third"));
  await stack[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
  expect(ended).toEqual(["third", "second", "first"]);
});

test("what fails to end keeps nothing else from ending, and is told", async () => {
  const ended: string[] = [];
  const failing = (name: string) => () => {
    throw new Error(name);
  };
  const one = new DisposalStack();
  one.defer("first", () => void ended.push("first"));
  one.defer("second", failing("second"));
  await expect(one[Symbol.asyncDispose]()).rejects.toThrow("second");
  expect(ended).toEqual(["first"]);
  const several = new DisposalStack();
  several.defer("first", failing("first"));
  several.defer("second", failing("second"));
  await expect(several[Symbol.asyncDispose]()).rejects.toMatchObject({
    errors: [{ message: "second" }, { message: "first" }],
  });
});
