import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** Reads the secret in `path`. Creates it on the first start with mode 0600, so that sessions survive restarts. */
export async function readOrCreateSecret(path: string): Promise<string> {
  try {
    await writeFile(path, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFile(path, "utf8");
}
