import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NoOwnerError, PeerFailedError, type Peers } from "#ports/peers.ts";

export interface PeersWorld extends AsyncDisposable {
  /** Two servers of one site. */
  readonly ana: Peers;
  readonly bo: Peers;
}

/** A shared machine may stall for seconds. */
const patiently = { timeout: 30_000 };

/** Contract of `Peers`; `makeWorld` opens an empty site for each test. */
export function peersContract(name: string, makeWorld: () => Promise<PeersWorld>): void {
  describe(`peers: ${name}`, () => {
    let world: PeersWorld;
    let ana: Peers;
    let bo: Peers;

    beforeEach(async () => {
      world = await makeWorld();
      ({ ana, bo } = world);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    const cut = (callId: string) => ({ callId, otherId: 9_007_199_254_740_993n });

    test("answers at the owner of a key from every server, with exact bigints", async () => {
      bo.serve("cutCall", async (_input, key) => cut(`by bo, ${key}`));
      ana.serve("cutCall", async (_input, key) => cut(`by ana, ${key}`));
      using _one = await bo.own("person:7");
      using _other = await ana.own("person:8");
      for (const asker of [ana, bo]) {
        expect(await asker.ask("cutCall", "person:7", null)).toEqual(cut("by bo, person:7"));
        expect(await asker.ask("cutCall", "person:8", null)).toEqual(cut("by ana, person:8"));
      }
      const many = await Promise.all(Array.from({ length: 50 }, () => ana.ask("cutCall", "person:7", null)));
      expect(new Set(many.map((answer) => answer?.callId))).toEqual(new Set(["by bo, person:7"]));
    });

    test("fails at once where a key has no owner, or the owner does not know the request", async () => {
      await expect(ana.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
      const owned = await bo.own("person:7");
      await expect(ana.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
      bo.serve("cutCall", async () => null);
      expect(await ana.ask("cutCall", "person:7", null)).toBeNull();
      await expect(ana.ask("ofANewerVersion" as "cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
      owned[Symbol.dispose]();
      await vi.waitFor(() => expect(ana.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError), patiently);
      await expect(bo.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
    });

    test("distinguishes an owner that gave up the key from one that failed", async () => {
      using _owned = await bo.own("person:7");
      const answers = vi
        .fn<() => Promise<null>>()
        .mockRejectedValueOnce(new NoOwnerError("gone"))
        .mockRejectedValueOnce(new Error("broken"));
      bo.serve("cutCall", answers);
      await expect(ana.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError);
      const failed = await ana.ask("cutCall", "person:7", null).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(PeerFailedError);
      expect(failed).toMatchObject({ message: "broken" });
    });

    test("[PEER-3] gives a key to the last server that asked, and tells the previous owner", async () => {
      ana.serve("cutCall", async () => cut("by ana"));
      bo.serve("cutCall", async () => cut("by bo"));
      const first = await ana.own("person:7");
      expect(first.lost.aborted).toBe(false);
      const second = await bo.own("person:7");
      await vi.waitFor(() => expect(first.lost.aborted).toBe(true), patiently);
      for (const asker of [ana, bo])
        expect(await asker.ask("cutCall", "person:7", null)).toMatchObject({ callId: "by bo" });
      // The first owner has lost the key, so it cannot release it.
      first[Symbol.dispose]();
      expect(await ana.ask("cutCall", "person:7", null)).toMatchObject({ callId: "by bo" });
      const third = await bo.own("person:7");
      expect([second.lost.aborted, third.lost.aborted]).toEqual([true, false]);
      second[Symbol.dispose]();
      expect(await ana.ask("cutCall", "person:7", null)).toMatchObject({ callId: "by bo" });
    });

    test("[PEER-3] gives a key to one of two servers that ask at once", async () => {
      ana.serve("cutCall", async () => cut("by ana"));
      bo.serve("cutCall", async () => cut("by bo"));
      for (let person = 0; person < 20; person += 1) {
        const key = `person:${BigInt(person)}` as const;
        const both = await Promise.all([ana.own(key), bo.own(key)]);
        await vi.waitFor(() => expect(both.filter(({ lost }) => lost.aborted)).toHaveLength(1), patiently);
        const [anas] = both;
        const owner = anas?.lost.aborted ? "by bo" : "by ana";
        for (const asker of [ana, bo]) expect(await asker.ask("cutCall", key, null)).toMatchObject({ callId: owner });
      }
    });

    test("checks whether a key has an owner without asking it", async () => {
      const owned = await bo.own("person:7");
      for (const asker of [ana, bo]) {
        expect(await asker.isOwned("person:7")).toBe(true);
        expect(await asker.isOwned("person:8")).toBe(false);
      }
      owned[Symbol.dispose]();
      await vi.waitFor(async () => expect(await ana.isOwned("person:7")).toBe(false), patiently);
    });

    test("broadcasts messages in order to all other servers, despite a failing listener", async () => {
      const heard: bigint[] = [];
      const own = vi.fn<() => void>();
      ana.onEvent("forget", own);
      bo.onEvent("forget", () => {
        throw new Error("a listener's fault");
      });
      const listening = bo.onEvent("forget", ({ userId }) => heard.push(userId));
      const ids = Array.from({ length: 300 }, (_none, index) => BigInt(index));
      for (const userId of ids) ana.broadcast("forget", { what: "standing", userId });
      ana.broadcast("ofANewerVersion" as "forget", { what: "standing", userId: 1n });
      await vi.waitFor(() => expect(heard).toHaveLength(ids.length), patiently);
      expect(heard).toEqual(ids);
      expect(own).not.toHaveBeenCalled();
      listening[Symbol.dispose]();
      const after = vi.fn<() => void>();
      bo.onEvent("blocked", after);
      ana.broadcast("forget", { what: "standing", userId: 5n });
      ana.broadcast("blocked", { blockerId: 1n, blockedId: 2n, isBlocked: true });
      await vi.waitFor(() => expect(after).toHaveBeenCalledOnce(), patiently);
      expect(heard).toHaveLength(ids.length);
    });

    test("announces a server's shutdown and releases its keys", async () => {
      const gone = vi.fn<(process: string) => void>();
      bo.onGone(gone);
      ana.serve("cutCall", async () => null);
      await ana.own("person:7");
      expect(await bo.ask("cutCall", "person:7", null)).toBeNull();
      await ana[Symbol.asyncDispose]();
      await vi.waitFor(() => expect(gone.mock.calls).toEqual([[ana.self]]), patiently);
      await vi.waitFor(() => expect(bo.ask("cutCall", "person:7", null)).rejects.toThrow(NoOwnerError), patiently);
      expect(ana.self).not.toBe(bo.self);
    });
  });
}
