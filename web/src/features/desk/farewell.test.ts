import { expect, test } from "vitest";
import { Farewell } from "./machine-store.ts";

test("[DESK-104] what was signed ahead is sent in the same turn, once, and only for its own decision", async () => {
  const farewell = new Farewell();
  const sent: string[] = [];
  const call = (name: string) => Promise.resolve(async () => void sent.push(name));
  await farewell.prepare("a", [call("a1"), call("a2")]);
  expect(farewell.send("b")).toBeNull();
  const sending = farewell.send("a");
  expect(sent).toEqual(["a1", "a2"]);
  await sending;
  expect(farewell.send("a")).toBeNull();
});

test("[DESK-104] a later decision replaces the one before, also while it is still being signed", async () => {
  const farewell = new Farewell();
  let signed: (call: () => Promise<void>) => void = () => undefined;
  const first = farewell.prepare("a", [new Promise((resolve) => (signed = resolve))]);
  await farewell.prepare("b", []);
  signed(async () => undefined);
  await first;
  expect(farewell.send("a")).toBeNull();
  expect(farewell.send("b")).not.toBeNull();
});

test("[DESK-104] without a key to sign with nothing is ready, and the usual way has to do", async () => {
  const farewell = new Farewell();
  await farewell.prepare("a", [Promise.reject(new Error("no session"))]);
  expect(farewell.send("a")).toBeNull();
});
