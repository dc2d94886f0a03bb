import { expect, test } from "vitest";
import { identifierLengthMax } from "./limits.ts";
import { conversationIn, conversationPath } from "./notifications.ts";

test("names conversation and recipient only behind the # of the address", () => {
  const told = { with: "0a_-", to: "x-ana" };
  const [before, after = ""] = conversationPath(told).split("#");
  expect(before).toBe("/?open=messages");
  expect([conversationIn(after), conversationIn(`#${after}`)]).toEqual([told, told]);
});

test.each([
  "",
  "#",
  "#with=a",
  "#to=b",
  "#with=&to=b",
  "#with=a/b&to=c",
  `#with=${"x".repeat(identifierLengthMax + 1)}&to=b`,
])("finds no conversation in an address that ends in %j", (hash) => expect(conversationIn(hash)).toBeNull());
