import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { badInput, forbidden } from "#lib/errors.ts";
import type { PeerFrame, PeerFrames, PeerPlace } from "#ports/peer-frames.ts";
import { NobodyThereError, type Peers, PeerFailedError, PeerSilentError, personKey } from "#ports/peers.ts";
import { type PeerSite, peerSites, siteClock } from "#test/fixtures/peer-sites.ts";
import { RoutedFrames } from "./routed-frames.ts";

const ana = 1n;
const frame = { roomId: "room", ticket: "ticket", bytes: Buffer.from("a picture") };

/** The inspection of one server of the site. A function call forwards frames between the servers. */
class LookingProcess {
  readonly here = new Set<bigint>();
  readonly taken: PeerFrame[] = [];
  readonly lost: unknown[] = [];
  readonly warned: unknown[] = [];
  /** What the inspection does with a frame; `onWay` runs before, while the frame is forwarded to this server. */
  says: () => void = () => undefined;
  onWay: () => void = () => undefined;
  readonly peers: Peers;
  readonly routed: RoutedFrames;

  constructor(peers: Peers, site: LookingProcess[]) {
    const frames: PeerFrames = {
      pass: async ({ process, url }: PeerPlace, passed) => {
        const to = site.find((each) => each.peers.self === process);
        expect(url).toBe(`http://${process}.test`);
        to?.onWay();
        const answer = await to?.routed.takeHere(passed);
        if (!answer) throw new NobodyThereError("not looked at");
        return answer;
      },
    };
    this.peers = peers;
    this.routed = new RoutedFrames({
      peers,
      frames,
      peerUrl: `http://${peers.self}.test`,
      hub: { isHere: (userId) => this.here.has(userId) },
      inspection: {
        take: async (userId, { roomId, ticket, bytes }) => {
          this.taken.push({ userId, roomId, ticket, bytes });
          this.says();
        },
        lost: (userId, { roomId, ticket }) => {
          this.lost.push({ userId, roomId, ticket });
          this.says();
        },
      },
      clock: siteClock,
      logger: { warn: (details: unknown) => void this.warned.push(details) },
    });
  }
}

describe.each(peerSites)("$name", ({ open }) => {
  let site: PeerSite;
  let one: LookingProcess;
  let other: LookingProcess;
  let owned: Disposable[];
  beforeEach(async () => {
    site = await open();
    const processes: LookingProcess[] = [];
    for (const peers of site.peers) processes.push(new LookingProcess(peers, processes));
    [one, other] = processes as [LookingProcess, LookingProcess];
    owned = [];
  });
  afterEach(async () => {
    for (const each of [...owned, one.routed, other.routed]) each[Symbol.dispose]();
    await site[Symbol.asyncDispose]();
  });

  async function liveAt({ peers, here }: LookingProcess): Promise<void> {
    here.add(ana);
    owned.push(await peers.own(personKey(ana)));
  }

  const picture = { userId: ana, ...frame };

  test("a picture comes to the process that looks at its person, whichever it was sent to", async () => {
    await liveAt(other);
    await one.routed.take(ana, frame);
    await other.routed.take(ana, frame);
    expect([one.taken, other.taken]).toEqual([[], [picture, picture]]);
  });

  test("passes on the other server's refusal, and refuses a user without a home", async () => {
    await liveAt(other);
    other.says = () => {
      throw badInput("no such ticket", "ticket");
    };
    await expect(one.routed.take(ana, frame)).rejects.toMatchObject({ code: 400, data: { field: "ticket" } });
    one.says = () => {
      throw forbidden("not_in_room");
    };
    await expect(one.routed.take(2n, frame)).rejects.toMatchObject({ code: 403, data: { reason: "not_in_room" } });
    expect(one.warned).toEqual([]);
  });

  test("finds a user again who moves while the frame is on its way", async () => {
    await liveAt(other);
    other.onWay = () => {
      other.here.delete(ana);
      one.here.add(ana);
    };
    await one.routed.take(ana, frame);
    expect([one.taken, other.taken]).toEqual([[picture], []]);
  });

  test("remembers the server for the next frame, and asks again once that server does not inspect the user", async () => {
    await liveAt(other);
    await one.routed.take(ana, frame);
    const asks = vi.spyOn(one.peers, "ask").mockRejectedValue(new PeerSilentError("silent"));
    await one.routed.take(ana, frame);
    asks.mockRestore();
    other.here.delete(ana);
    one.says = () => {
      throw forbidden("not_in_room");
    };
    await expect(one.routed.take(ana, frame)).rejects.toMatchObject({ code: 403 });
    expect(other.taken).toEqual([picture, picture]);
  });

  test("where the other process does not answer, or fails, the picture is not looked at and the other is asked for", async () => {
    await liveAt(other);
    const lost = { userId: ana, roomId: "room", ticket: "ticket" };
    for (const fault of [new PeerSilentError("silent"), new PeerFailedError("failed")]) {
      other.onWay = () => {
        throw fault;
      };
      await expect(one.routed.take(ana, frame)).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
      expect([one.warned.at(-1), other.lost.splice(0)]).toEqual([{ err: fault }, [lost]]);
    }
    // In a search a lost frame has no consequence, since its ticket is no longer valid.
    await expect(one.routed.take(ana, { ...frame, roomId: "" })).rejects.toMatchObject({ code: 503 });
    expect(other.lost).toEqual([]);
    other.says = () => {
      throw badInput("no such ticket", "ticket");
    };
    await expect(one.routed.take(ana, frame)).rejects.toMatchObject({ code: 503 });
    other.says = other.onWay = () => undefined;
    await one.routed.take(ana, frame);
    expect([one.taken, other.taken]).toEqual([[], [picture]]);
  });

  test("where nobody can be asked, the picture is not looked at", async () => {
    await liveAt(other);
    vi.spyOn(one.peers, "ask").mockRejectedValue(new PeerSilentError("silent"));
    await expect(one.routed.take(ana, frame)).rejects.toMatchObject({ code: 503 });
    expect([one.taken, other.taken]).toEqual([[], []]);
  });
});
