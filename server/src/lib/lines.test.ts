import { expect, test } from "vitest";
import { Lines, pairKey } from "./lines.ts";

test("work of one key runs in the order of asking, whatever becomes of it, and other keys do not wait", async () => {
  const lines = new Lines();
  const done: string[] = [];
  let release = (): void => undefined;
  const first = lines.run("a", async () => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push("first");
    throw new Error("first failed");
  });
  const second = lines.run("a", async () => void done.push("second"));
  await lines.run("b", async () => void done.push("other"));
  expect(done).toEqual(["other"]);
  release();
  await expect(first).rejects.toThrow("first failed");
  await second;
  expect(done).toEqual(["other", "first", "second"]);
});

test("a key is forgotten when nothing of it is left", async () => {
  const lines = new Lines();
  await Promise.allSettled([lines.run("a", async () => 1), lines.run("a", () => Promise.reject(new Error("no")))]);
  expect(lines.size).toBe(0);
});

test("two people have one line, whoever of them acts", () => {
  expect(pairKey(12n, 9n)).toBe(pairKey(9n, 12n));
  expect(pairKey(1n, 12n)).not.toBe(pairKey(11n, 2n));
});
