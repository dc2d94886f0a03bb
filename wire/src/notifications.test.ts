import { expect, test } from "vitest";
import { identifierLengthMax } from "./limits.ts";
import { conversationIn, conversationPath } from "./notifications.ts";

test("the address of a conversation names it and who was told, behind the # alone", () => {
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
])("an address that ends in %j names no conversation", (hash) => expect(conversationIn(hash)).toBeNull());
