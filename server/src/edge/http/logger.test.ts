import { expect, test } from "vitest";
import { DatabaseUnavailableError } from "#db/unavailable.ts";
import { createLogger } from "./logger.ts";

test("[GUARD-23] keeps tokens, signatures and texts out of the log, wherever they occur", () => {
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
  logger.child({ part: "x" }).info({ list: [{ deep: { deeper: { text: secret } } }] }, "x");
  expect(lines).toHaveLength(3);
  expect(lines.join("")).not.toContain(secret);
});

test("writes an error with its stack and code, but no other properties", () => {
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

test("writes no line for an error caused by a database outage", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", stream: { write: (line) => void lines.push(line) } });
  logger.error({ err: new DatabaseUnavailableError("away") }, "periodic work failed");
  logger.error({ err: new DatabaseUnavailableError("slow") }, "a slow one");
  logger.error({ err: new Error("given up", { cause: new DatabaseUnavailableError("away") }) }, "lost");
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(["a slow one", "lost"]);
});

test("writes values without secrets unchanged", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", stream: { write: (line) => void lines.push(line) } });
  const at = new Date(0);
  const loop: Record<string, unknown> = { name: "ana" };
  loop["self"] = loop;
  logger.info({ room: { id: "r", people: ["ana", "bo"] }, at, list: [{ token: "t", id: 1 }], none: null, loop }, "x");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    room: { id: "r", people: ["ana", "bo"] },
    at: at.toISOString(),
    list: [{ token: "[redacted]", id: 1 }],
    none: null,
  });
});
