import type { RemoteUser } from "@fava/wire/people.ts";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import type { FixtureWorld } from "#testing/fixture-world.ts";
import { remoteOf } from "#testing/fixtures.ts";
import { matchedPush } from "#testing/matched-push.ts";
import type { RemotePerson } from "#testing/remote-person.ts";

export interface MatchChange {
  /** Changes of the partner; by default Bo. */
  remote?: Partial<RemoteUser>;
  push?: Partial<Omit<MatchedPush, "media">>;
}

let rooms = 0;

/**
 * Matches the searching user of `server` with a partner whose video really arrives, and carries the signals between the
 * two until the page closes. Resolves to the room's id.
 */
export async function match(
  server: FixtureWorld,
  person: Pick<RemotePerson, "offer" | "take">,
  { remote = {}, push = {} }: MatchChange = {},
): Promise<string> {
  const { socket } = server;
  rooms += 1;
  const roomId = `room-${rooms}`;
  const peerOffer = await person.offer();
  socket.onFrame((frame) => {
    if (frame.type !== "signal" || frame.roomId !== roomId) return;
    person.take(frame.signal).then(
      (signals) => {
        for (const signal of signals) socket.say({ type: "signal", roomId, signal });
      },
      (error: unknown) => server.faults.push(String(error)),
    );
  });
  const other = remoteOf("Bo", remote);
  const about = { remote: other, user_Id: other.user_id, externalId: other.external_id, ...push };
  socket.push(matchedPush(roomId, { ...about, media: { role: "answerer", peerOffer } }));
  return roomId;
}
