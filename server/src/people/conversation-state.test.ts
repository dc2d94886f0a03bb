import { expect, test } from "vitest";
import { canWrite, decideSend, type ConversationStanding, stateOf } from "./message-store.ts";

const standings: Record<string, ConversationStanding | null> = {
  nothing: null,
  mine: { requestedBy: "me", accepted: false },
  theirs: { requestedBy: "other", accepted: false },
  accepted: { requestedBy: null, accepted: true },
  friendly: { requestedBy: null, accepted: false },
};

/** The state, and whether the viewer can write, for friends, for users who have met, and for all others. */
const table: Record<keyof typeof standings, [string, string, string]> = {
  nothing: ["open yes", "request_out request", "closed no"],
  mine: ["open yes", "request_out no", "request_out no"],
  theirs: ["open yes", "request_in yes", "request_in yes"],
  accepted: ["open yes", "open yes", "open yes"],
  friendly: ["open yes", "closed no", "closed no"],
};

for (const [name, [friends, met, none]] of Object.entries(table)) {
  test(`decides who may write, and the state in the list: ${name}`, () => {
    const standing = standings[name] ?? null;
    const said = (pair: { friends: boolean; met: boolean }) =>
      `${stateOf({ ...pair, standing })} ${canWrite({ ...pair, standing })}`;
    expect(said({ friends: true, met: false })).toBe(friends);
    expect(said({ friends: true, met: true })).toBe(friends);
    expect(said({ friends: false, met: true })).toBe(met);
    expect(said({ friends: false, met: false })).toBe(none);
  });
}

test("accepts a request by an answer, between friends too", () => {
  for (const friends of [true, false])
    expect(decideSend({ friends, met: false, standing: standings["theirs"]! })).toEqual({
      kind: "write",
      standing: { requestedBy: null, accepted: true },
    });
});

test("drops a friend's own request when they write, and accepts nothing", () => {
  expect(decideSend({ friends: true, met: true, standing: standings["mine"]! })).toEqual({
    kind: "write",
    standing: { requestedBy: null, accepted: false },
  });
});
