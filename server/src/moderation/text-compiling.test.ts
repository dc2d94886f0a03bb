import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import { services } from "@fava/wire/personal-data-handles.ts";
import { compileTextRules, scanText } from "./text-service.ts";

setFlagsFromString("--allow-natives-syntax");
// oxlint-disable-next-line typescript/no-implied-eval -- the engine reports what it has compiled in no other way
const hasNativeCode = new Function("pattern", "isOneByte", "return %RegexpHasNativeCode(pattern, isOneByte)") as (
  pattern: RegExp,
  isOneByte: boolean,
) => boolean;

const largePatterns = [services];

/** Whether each pattern has native code, for one-byte and for two-byte texts. */
function compiled(): boolean[] {
  return largePatterns.flatMap((pattern) => [true, false].map((isOneByte) => hasNativeCode(pattern, isOneByte)));
}

test("ends in the next turn of the event loop once the server stops", async () => {
  const stop = new AbortController();
  const compiling = compileTextRules(stop.signal);
  expect(await Promise.race([compiling, nextTurn("compiling")])).toBe("compiling");
  stop.abort();
  expect(await Promise.race([compiling, nextTurn("compiling").then(() => nextTurn("compiling"))])).toBeUndefined();
});

test("compiles the patterns ahead, and uses these instead of copies", async () => {
  await compileTextRules(new AbortController().signal);
  expect(compiled()).not.toContain(false);
  // A copied pattern is built by the constructor that the original names.
  const copied: string[] = [];
  for (const pattern of largePatterns)
    Object.defineProperty(pattern, "constructor", {
      configurable: true,
      get() {
        copied.push(pattern.source.slice(0, 40));
        return RegExp;
      },
    });
  for (const line of ["you b1tch, my insta is somebody", "кто ты? go die", "你这个傻逼走开", "12 Main Street?"]) {
    scanText(line);
  }
  for (const pattern of largePatterns) Reflect.deleteProperty(pattern, "constructor");
  expect(copied).toEqual([]);
});
