import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startProduct } from "../e2e/support/product.ts";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000 });

test("leaves no folder of a product that does not become ready", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fava-product-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
  await expect(startProduct({ MODERATION: "no such way" })).rejects.toThrow("the server stopped while starting");
  expect(await readdir(folder)).toEqual([]);
});
