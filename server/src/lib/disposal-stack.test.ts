import { expect, test, vi } from "vitest";
import { TestClock } from "#test/fakes/clock.ts";
import { DisposalStack } from "./disposal-stack.ts";

test("disposes in reverse order, one at a time and only once", async () => {
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

test("disposes the rest after a failure, and reports it", async () => {
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

test("leaves a part behind that does not end in time, logs its name, and ends the rest", async () => {
  const clock = new TestClock();
  const error = vi.fn<(details: { part: string }) => void>();
  const stack = new DisposalStack({ clock, logger: { error } });
  const ended: string[] = [];
  stack.defer("first", () => void ended.push("first"));
  stack.defer("slow", () => new Promise(() => undefined), { limitMs: 60_000 });
  stack.defer("stuck", () => new Promise(() => undefined));
  const disposing = stack[Symbol.asyncDispose]();
  disposing.catch(() => undefined);
  expect(stack.unended).toEqual(["stuck", "slow", "first"]);
  clock.advance(6_000);
  await vi.waitFor(() => expect(stack.unended).toEqual(["slow", "first"]));
  clock.advance(59_999);
  expect(ended).toEqual([]);
  clock.advance(1);
  await expect(disposing).rejects.toMatchObject({
    errors: [{ message: "stuck did not end in 6000 ms" }, { message: "slow did not end in 60000 ms" }],
  });
  expect(ended).toEqual(["first"]);
  expect(stack.unended).toEqual([]);
  expect(error.mock.calls.map(([{ part }]) => part)).toEqual(["stuck", "slow"]);
  expect(clock.pendingCount).toBe(0);
});
