import { describe, expect, test } from "vitest";
import type { Leases } from "#ports/leases.ts";

/** Contract of `Leases`; `open` returns the leases of two servers. */
export function leasesContract(name: string, open: () => Promise<readonly [Leases, Leases]>): void {
  describe(`leases, ${name}`, () => {
    /** Holds a lease until the test releases it or it is lost. */
    function holder(leases: Leases, lease: string) {
      let began: (epoch: bigint) => void = () => undefined;
      let letGo: () => void = () => undefined;
      const epoch = new Promise<bigint>((resolve) => (began = resolve));
      const state = { isHolding: false, isLost: false };
      const holding = leases.hold(
        lease,
        async ({ epoch: own }, lost) => {
          state.isHolding = true;
          began(own);
          await new Promise<void>((resolve) => {
            letGo = resolve;
            lost.addEventListener("abort", () => resolve());
          });
          state.isLost = lost.aborted;
          state.isHolding = false;
        },
        { lookEveryMs: 20 },
      );
      return { epoch, state, letGo: () => letGo(), [Symbol.asyncDispose]: () => holding[Symbol.asyncDispose]() };
    }

    test("[START-73] gives a lease to one holder at a time, and to the next on release, with a greater epoch", async () => {
      const [one, other] = await open();
      await using first = holder(one, "by turns");
      const firstEpoch = await first.epoch;
      await using second = holder(other, "by turns");
      let hasSecond = false;
      void second.epoch.then(() => (hasSecond = true));
      await using beside = holder(other, "another name");
      await beside.epoch;
      expect([first.state.isHolding, hasSecond]).toEqual([true, false]);
      await first[Symbol.asyncDispose]();
      expect(first.state).toEqual({ isHolding: false, isLost: true });
      expect(await second.epoch).toBeGreaterThan(firstEpoch);
    });

    test("[START-73] releases the lease when its work ends by itself", async () => {
      const [one, other] = await open();
      await using first = holder(one, "ends");
      await first.epoch;
      await using second = holder(other, "ends");
      first.letGo();
      await second.epoch;
      expect(first.state).toEqual({ isHolding: false, isLost: false });
    });

    test("[START-73] lets a waiting server give up", async () => {
      const [one, other] = await open();
      await using first = holder(one, "waited for");
      await first.epoch;
      const second = holder(other, "waited for");
      await second[Symbol.asyncDispose]();
      expect([first.state.isHolding, second.state.isHolding]).toEqual([true, false]);
    });
  });
}
