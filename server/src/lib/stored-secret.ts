import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** The secret in `path`, created on first use with mode 0600, so that sessions survive a restart. */
export async function readOrCreateSecret(path: string): Promise<string> {
  try {
    await writeFile(path, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFile(path, "utf8");
}
