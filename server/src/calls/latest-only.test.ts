import { expect, test } from "vitest";
import { LatestOnly } from "./video-inspections.ts";

test("runs one task, then the newest of those that arrived meanwhile, and drops the others", async () => {
  const only = new LatestOnly();
  const done: string[] = [];
  const release: (() => void)[] = [];
  const work = (name: string) =>
    only.run(async () => {
      await new Promise<void>((resolve) => void release.push(resolve));
      done.push(name);
      return name;
    });
  const results = [work("one"), work("two"), work("three")];
  for (let turn = 0; turn < 2; turn += 1) {
    await Promise.resolve();
    release.shift()?.();
    await results[turn === 0 ? 0 : 2];
  }
  expect(await Promise.all(results)).toEqual(["one", null, "three"]);
  expect(done).toEqual(["one", "three"]);
});

test("runs the next task after a failure", async () => {
  const only = new LatestOnly();
  const failing = only.run(() => Promise.reject(new Error("no")));
  const next = only.run(async () => "next");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
  expect(await only.run(async () => "again")).toBe("again");
});
