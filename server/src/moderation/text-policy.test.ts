import { expect, test } from "vitest";
import type { TextFindingKind } from "#ports/text-rules.ts";
import { verdictOf } from "./text-policy.ts";

const found = (readerId: bigint | null, ...kinds: TextFindingKind[]) => ({
  readerId,
  findings: kinds.map((kind) => ({ kind })),
});
const reached = (...contacts: boolean[]) =>
  contacts.map((hadContacts, index) => ({ readerId: BigInt(index + 1), hadContacts }));

test("[TEXT-66] decides nothing while findings reach fewer than three readers", () => {
  expect(verdictOf([], found(1n, "threat", "phone"))).toBeNull();
  expect(verdictOf(reached(false), found(2n, "insult"))).toBeNull();
  expect(verdictOf(reached(true), found(2n, "phone"))).toBeNull();
});

test("[TEXT-66] opens a case at the third reader, and mutes for contact data and adverts alone", () => {
  expect(verdictOf(reached(false, false), found(3n, "insult"))).toEqual({ rule: "abuse_in_chat", mutesChat: false });
  expect(verdictOf(reached(true, true), found(3n, "link"))).toEqual({ rule: "contact_in_chat", mutesChat: true });
  expect(verdictOf(reached(true, true), found(3n, "insult", "advert"))).toMatchObject({ mutesChat: true });
  expect(verdictOf(reached(false, true), found(3n, "phone"))).toEqual({ rule: "abuse_in_chat", mutesChat: false });
});

test("[TEXT-66] decides nothing more for the same readers, and decides again for a new one", () => {
  const three = reached(true, true, true);
  expect(verdictOf(three, found(2n, "phone"))).toBeNull();
  expect(verdictOf(three, found(2n, "insult"))).toBeNull();
  expect(verdictOf(three, found(4n, "phone"))).toMatchObject({ rule: "contact_in_chat" });
  expect(verdictOf(reached(true, true, false), found(3n, "phone"))).toMatchObject({ rule: "contact_in_chat" });
});

test("[TEXT-66] decides nothing about undelivered texts", () => {
  expect(verdictOf(reached(true, true), found(null, "phone"))).toBeNull();
});

test("[TEXT-740] opens a case for the first finding about a minor", () => {
  expect(verdictOf([], found(null, "minor"))).toEqual({ rule: "minor_in_text", mutesChat: false });
  expect(verdictOf(reached(true, true), found(3n, "phone", "minor"))).toMatchObject({ rule: "minor_in_text" });
});
