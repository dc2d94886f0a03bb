import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keptSecret } from "#kept-secret.ts";

test("[START-13] the secret is made once, also by two at the same time, and is its owner's alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fava-secret-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "secret");
  const [one, other] = await Promise.all([keptSecret(path), keptSecret(path)]);
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(other === one || other === "").toBe(true);
  await expect(keptSecret(path)).resolves.toBe(one);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
