import { expect, test } from "vitest";
import { Emitter } from "./emitter.ts";

test("calls listeners in the order of their registration until they are disposed", () => {
  const emitter = new Emitter<[who: string, count: number]>();
  const heard: string[] = [];
  const first = emitter.on((who, count) => heard.push(`first ${who} ${count}`));
  using _second = emitter.on((who) => heard.push(`second ${who}`));
  emitter.emit("ana", 1);
  first[Symbol.dispose]();
  emitter.emit("bo", 2);
  expect(heard).toEqual(["first ana 1", "second ana", "second bo"]);
});

test("throws the error of a listener to the caller of emit", () => {
  const emitter = new Emitter<[]>();
  emitter.on(() => {
    throw new Error("no");
  });
  expect(() => emitter.emit()).toThrow("no");
});
