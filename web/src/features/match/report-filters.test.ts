import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearForSignOut, readStored } from "#lib/storage.ts";
import { silence } from "#testing/fixture-world.ts";
import { serve, type ServedWorld, signIn, stopServing } from "#testing/serve.ts";
import { saveAndReport } from "./report-filters.ts";

let server: ServedWorld;

beforeEach(() => void (server = serve({ active: {} })));
afterEach(() => {
  clearForSignOut();
  stopServing();
});

test("stores preferences here and reports them to the server with type 3", async () => {
  await signIn(server);
  saveAndReport({ sex: 2, country: 18 });
  expect(readStored("filterGender")).toBe(2);
  expect(readStored("filterCountry")).toEqual({ mode: "country", id: 18 });
  await vi.waitFor(() => expect(server.asked("active")).toMatchObject([{ user_id: 7, type: 3, sex: 2, country: 18 }]));
});

test("applies preferences without a session, and when the report does not arrive", async () => {
  saveAndReport({ sex: 1, country: 0 });
  await Promise.resolve();
  expect(server.tokens).toEqual([]);
  await signIn(server);
  server.answer({ active: silence });
  saveAndReport({ sex: 0, country: -1 });
  await vi.waitFor(() => expect(server.asked("active")).toHaveLength(1));
  expect(readStored("filterGender")).toBe(0);
});
