import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";

test("[GUARD-4] tokens, signatures and texts never reach the log, wherever they stand", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", stream: { write: (line) => void lines.push(line) } });
  const secret = "do-not-write-me";
  logger.info(
    {
      token: secret,
      headers: { token: secret, signature: secret },
      input: { third_party_token: secret, text: secret },
    },
    "x",
  );
  logger.info(
    { sdp: secret, frame: { text: secret, offer: secret }, answer: { sign_key: secret, tencent_sign: secret } },
    "x",
  );
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain(secret);
});

test("an error is written with its stack and code, without what else hangs on it", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", stream: { write: (line) => void lines.push(line) } });
  logger.error(
    { err: Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (nickname)=(ana)" }) },
    "x",
  );
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    err: { type: "Error", message: "duplicate key", code: "23505" },
  });
  expect(lines[0]).not.toContain("nickname");
});
