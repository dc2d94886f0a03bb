import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CoturnRelay } from "@fava/server/adapters/media/coturn-relay.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { startTurn, type Turn, turnCliPassword, turnIsInstalled, turnSecret } from "../e2e/support/turn.ts";
import { TurnClient } from "./lib/turn-probe.ts";

const darkWithinMs = 10_000;

function relayOf({ port, cliPort }: Turn, credentialSeconds = 600) {
  const errors: object[] = [];
  const relay = new CoturnRelay({
    urls: [`turn:127.0.0.1:${port}`],
    secret: turnSecret,
    credentialSeconds,
    commandPorts: [{ host: "127.0.0.1", port: cliPort, password: turnCliPassword }],
    clock: systemClock,
    logger: { error: (details) => void errors.push(details) },
  });
  const clientOf = (externalId: string) => {
    const [server] = relay.credentialsFor(externalId).iceServers;
    const { username = "", credential = "" } = server ?? {};
    return TurnClient.open(`turn:127.0.0.1:${port}`, { username, credential });
  };
  return { relay, errors, clientOf };
}

/** Two clients in a call, each with its own relayed address. */
async function inCall(ana: TurnClient, bo: TurnClient) {
  const [from, to] = [await ana.allocate(), await bo.allocate()];
  await ana.permit(to);
  await bo.permit(from);
  return {
    both: async () => {
      await ana.sendUntilHeard(to, randomBytes(16), bo);
      await bo.sendUntilHeard(from, randomBytes(16), ana);
    },
    toBo: () => ana.sendUntilHeard(to, randomBytes(16), bo),
    toAna: () => bo.sendUntilHeard(from, randomBytes(16), ana),
  };
}

/** Whether a message arrives while it is sent three times. */
function isHeard(sending: Promise<void>): Promise<boolean> {
  const heard = sending.then(
    () => true,
    () => false,
  );
  return Promise.race([heard, new Promise<boolean>((resolve) => setTimeout(resolve, 1_200, false))]);
}

describe.runIf(turnIsInstalled)("with coturn", () => {
  test("[SAFE-513] makes a client dark that ignores the end of its call, and leaves every other call", async () => {
    await using turn = await startTurn();
    const { relay, errors, clientOf } = relayOf(turn);
    await using ana = await clientOf("ana");
    await using bo = await clientOf("bo");
    await using cem = await clientOf("ana2");
    await using dia = await clientOf("dia");
    const [cutCall, otherCall] = [await inCall(ana, bo), await inCall(cem, dia)];
    await Promise.all([cutCall.both(), otherCall.both()]);
    const beganMs = performance.now();
    relay.cut("ana");
    await relay.settled();
    expect(await ana.refresh()).not.toBeNull();
    expect(performance.now() - beganMs).toBeLessThan(darkWithinMs);
    expect(await Promise.all([cutCall.toBo(), cutCall.toAna()].map(isHeard))).toEqual([false, false]);
    // The partner's session is still hers, for her next call.
    expect(await bo.refresh()).toBeNull();
    await otherCall.both();
    expect(errors).toEqual([]);
  });

  test("keeps a call whose credentials have expired, and starts no session with them", async () => {
    await using turn = await startTurn();
    const { clientOf } = relayOf(turn, 2);
    await using ana = await clientOf("ana");
    await using bo = await clientOf("bo");
    await using late = await clientOf("ana");
    const call = await inCall(ana, bo);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    expect([await ana.refresh(), await bo.refresh()]).toEqual([null, null]);
    await call.both();
    await expect(late.allocate()).rejects.toThrow(/refuses what was signed/);
  });
});
