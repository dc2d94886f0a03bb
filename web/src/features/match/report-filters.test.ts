import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { active } from "@fava/wire/endpoints/profile.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { smallRequest } from "#lib/api/request.ts";
import { currentUser } from "#lib/session.ts";
import { clearForSignOut, readStored } from "#lib/storage.ts";
import { saveAndReport } from "./report-filters.ts";

vi.mock("#lib/api/request.ts");
vi.mock("#lib/session.ts");

beforeEach(() => void vi.mocked(smallRequest).mockResolvedValue({}));
afterEach(() => {
  clearForSignOut();
  vi.resetAllMocks();
});

test("[MATCH-21] preferences are stored here and reported to the server with type 3", () => {
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as ReturnType<typeof currentUser>);
  saveAndReport({ sex: 2, country: 18 });
  expect(readStored("filterGender")).toBe(2);
  expect(readStored("filterCountry")).toEqual({ mode: "country", id: 18 });
  expect(vi.mocked(smallRequest).mock.calls).toEqual([[active, { user_id: 7, type: 3, sex: 2, country: 18 }]]);
});

test("[MATCH-21] they hold without a session, and when the report does not arrive", async () => {
  vi.mocked(currentUser).mockReturnValue(null);
  saveAndReport({ sex: 1, country: 0 });
  expect(smallRequest).not.toHaveBeenCalled();
  vi.mocked(currentUser).mockReturnValue({ user_id: 7 } as ReturnType<typeof currentUser>);
  vi.mocked(smallRequest).mockRejectedValue(new RequestFailure({ code: 0, reason: "network" }));
  saveAndReport({ sex: 0, country: -1 });
  await Promise.resolve();
  expect(readStored("filterGender")).toBe(0);
});
