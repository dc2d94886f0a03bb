import { afterEach, expect, test, vi } from "vitest";
import { openPeople } from "#features/people/person-links.ts";
import { currentUser, restored } from "#lib/session.ts";
import { beginReport } from "./SafetyPage.tsx";

vi.mock("#features/people/person-links.ts");
vi.mock("#lib/session.ts");

const me = { user_id: 7 } as NonNullable<ReturnType<typeof currentUser>>;
const here = vi.fn<() => void>();

afterEach(() => vi.resetAllMocks());

test("[PAGE-47] Report that is pressed before the session is known waits for it, and opens the people met lately", async () => {
  let sessionIsKnown: () => void = () => undefined;
  vi.mocked(restored).mockReturnValue(new Promise((resolve) => (sessionIsKnown = resolve)));
  vi.mocked(currentUser).mockReturnValue(null);
  const begun = beginReport(here);
  vi.mocked(currentUser).mockReturnValue(me);
  sessionIsKnown();
  await begun;
  expect(openPeople).toHaveBeenCalledExactlyOnceWith("recent");
  expect(here).not.toHaveBeenCalled();
});

test("[PAGE-48] Report of somebody without a session goes on in the page", async () => {
  vi.mocked(currentUser).mockReturnValue(null);
  await beginReport(here);
  expect(here).toHaveBeenCalledOnce();
  expect(openPeople).not.toHaveBeenCalled();
});
