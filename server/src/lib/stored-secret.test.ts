import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readOrCreateSecret } from "./stored-secret.ts";

test("creates the secret once, keeps it over a restart, and lets only its owner read it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fava-secret-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "secret");
  const secret = await readOrCreateSecret(path);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await expect(readOrCreateSecret(path)).resolves.toBe(secret);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
