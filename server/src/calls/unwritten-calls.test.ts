import { expect, test } from "vitest";
import type { UnwrittenCall } from "#ports/directory.ts";
import { NoOwnerError, type Peers, PeerTimeoutError, personKey } from "#ports/peers.ts";
import { unwrittenCalls } from "./unwritten-calls.ts";

const [ana, bo] = [1n, 2n];
const call: UnwrittenCall = { id: "call", otherId: bo, connectedAtMs: null, endedAtMs: null };

/** Bo's home does not respond. Ana's home responds with these calls; null: Ana has no home. */
function betweenThem(ofAna: readonly UnwrittenCall[] | null): Promise<readonly UnwrittenCall[]> {
  const ask = async (_kind: string, key: string) => {
    if (key === personKey(bo)) throw new PeerTimeoutError("no answer");
    if (key !== personKey(ana) || !ofAna) throw new NoOwnerError("nobody");
    return ofAna;
  };
  const peers = { ask, serve: () => ({ [Symbol.dispose]: () => undefined }) } as unknown as Pick<
    Peers,
    "ask" | "serve"
  >;
  return unwrittenCalls({ calls: { unwrittenOf: () => [] }, peers }).between(ana, bo);
}

test("finds a call that one server knows while another one hangs, and answers 503 only where none is found", async () => {
  expect(await betweenThem([call])).toEqual([call]);
  const other = { ...call, otherId: 3n };
  await expect(betweenThem([other])).rejects.toMatchObject({ code: 503 });
  await expect(betweenThem(null)).rejects.toMatchObject({ code: 503, data: { retry_after: 1 } });
});
