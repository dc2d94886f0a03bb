import { test as base } from "./people.ts";
import { startTurn, startUdpProxy, type Turn, turnCliPassword, turnSecret, type UdpProxy } from "./turn.ts";

/** Users whose calls go through coturn, behind a proxy that degrades the network as the test says. */
export const test = base.extend<object, { turn: Turn; wire: UdpProxy }>({
  turn: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await using turn = await startTurn();
      await use(turn);
    },
    { scope: "worker" },
  ],
  wire: [
    async ({ turn }, use) => {
      await using proxy = await startUdpProxy(turn.port);
      await use(proxy);
    },
    { scope: "worker" },
  ],
  environment: [
    async ({ turn, wire }, use) => {
      await use({
        TURN_URLS: `turn:127.0.0.1:${wire.port}?transport=udp`,
        TURN_SECRET: turnSecret,
        TURN_CLI_ADDRESSES: `127.0.0.1:${turn.cliPort}`,
        TURN_CLI_PASSWORD: turnCliPassword,
      });
    },
    { scope: "worker" },
  ],
});
