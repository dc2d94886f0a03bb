import { describe, expect, test } from "vitest";
import type { AdoptedRoom, NewRoom, ProcessId, RoomClaims } from "#ports/room-claims.ts";

interface RoomClaimsWorld {
  /** Opens the claims of another server for the same rooms. */
  claimsOf(process: ProcessId): Promise<RoomClaims>;
  /** A room that is not stored. */
  room(): Promise<NewRoom>;
}

/** Contract of `RoomClaims`. */
export function roomClaimsContract(name: string, open: () => Promise<RoomClaimsWorld>): void {
  describe(`room claims, ${name}`, () => {
    async function made(count = 1) {
      const world = await open();
      const [ana, bo] = [await world.claimsOf("ana"), await world.claimsOf("bo")];
      const rooms = await Promise.all(Array.from({ length: count }, () => world.room()));
      const epochs = await Promise.all(rooms.map((room) => ana.make(room)));
      return { world, ana, bo, ids: rooms.map(({ id }) => id), epochs };
    }
    const idsOf = (rooms: readonly AdoptedRoom[]) => rooms.map(({ id }) => id).toSorted();

    test("[START-71] gives a room to its maker, and raises the epoch at an adoption", async () => {
      const { bo, ids, epochs } = await made(2);
      expect(epochs).toEqual([1, 1]);
      const adopted = await bo.adopt(ids, "ana");
      expect(adopted.map(({ epoch }) => epoch)).toEqual([2, 2]);
      expect(idsOf(adopted)).toEqual(ids.toSorted());
    });

    test("[START-71] adopts a room only from its named owner", async () => {
      const { bo, ids } = await made();
      expect(await bo.adopt(ids, "cy")).toEqual([]);
      expect(await bo.adopt(ids, null)).toEqual([]);
      expect(await bo.adopt([...ids, "a room that was never made"], "ana")).toHaveLength(1);
      expect(await bo.adopt(ids, "ana")).toEqual([]);
    });

    test("[START-71] gives each room to one of two concurrent adopters", async () => {
      const { world, bo, ids } = await made(40);
      const cy = await world.claimsOf("cy");
      const shares = await Promise.all([bo.adopt(ids, "ana"), cy.adopt(ids.toReversed(), "ana")]);
      const rest = await bo.adopt(ids, "ana");
      expect(idsOf([...shares.flat(), ...rest])).toEqual(ids.toSorted());
    });

    test("[START-71] lets only the owner with its epoch end a room, once", async () => {
      const { ana, bo, ids } = await made();
      const [id = ""] = ids;
      const [room] = await bo.adopt(ids, "ana");
      expect(await ana.end([{ id, epoch: 1 }], "restart")).toEqual([]);
      expect(await ana.end([{ id, epoch: 2 }], "restart")).toEqual([]);
      expect(await bo.end([{ id, epoch: 1 }], "restart")).toEqual([]);
      expect(await bo.end([room!], "restart")).toEqual([id]);
      expect(await bo.end([room!], "restart")).toEqual([]);
    });
  });
}
