import { expect, test } from "vitest";
import { PersonRecords, RecentPartners } from "./matcher-records.ts";

test("remembers eight partners, and replaces the oldest by the ninth", () => {
  const partners = new RecentPartners(new PersonRecords(2));
  for (let partner = 1; partner <= 9; partner += 1) partners.rememberMeeting(1, partner, partner * 1_000);
  expect(partners.moment(1, 1)).toBe(0);
  for (let partner = 2; partner <= 9; partner += 1) expect(partners.moment(1, partner)).toBe(partner * 1_000);
  expect(partners.moment(2, 9)).toBe(0);
});

test("renews the entry of a partner met again, without evicting another one", () => {
  const partners = new RecentPartners(new PersonRecords(1));
  for (let partner = 1; partner <= 8; partner += 1) partners.rememberMeeting(1, partner, partner);
  partners.rememberMeeting(1, 1, 100);
  expect(partners.moment(1, 1)).toBe(100);
  expect(partners.moment(1, 2)).toBe(2);
});

test("replaces a meeting by a failed connection", () => {
  const partners = new RecentPartners(new PersonRecords(1));
  partners.rememberMeeting(1, 7, 1_000);
  partners.keepApart(1, 7, 3_000);
  expect(partners.moment(1, 7)).toBe(-3_000);
});

test("has no partners of an evicted user", () => {
  const partners = new RecentPartners(new PersonRecords(2));
  partners.rememberMeeting(1, 7, 1_000);
  partners.rememberMeeting(2, 7, 1_000);
  partners.forget(1);
  expect([partners.moment(1, 7), partners.moment(2, 7)]).toEqual([0, 1_000]);
});

test("applies what another server knows unless a later fact of the two, or of eight others, is known", () => {
  const partners = new RecentPartners(new PersonRecords(1));
  partners.rememberMeeting(1, 1, 1_000);
  partners.learn(1, 1, 900);
  expect(partners.moment(1, 1)).toBe(1_000);
  partners.learn(1, 1, -2_000);
  partners.learn(1, 1, 1_900);
  expect(partners.moment(1, 1)).toBe(-2_000);
  for (let partner = 2; partner <= 8; partner += 1) partners.learn(1, partner, partner * 1_000);
  partners.learn(1, 9, 1_500);
  expect([partners.moment(1, 9), partners.moment(1, 1)]).toEqual([0, -2_000]);
  partners.learn(1, 9, 2_500);
  expect([partners.moment(1, 9), partners.moment(1, 1)]).toEqual([2_500, 0]);
});
