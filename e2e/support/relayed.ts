import { test as base } from "./people.ts";
import { startTurn, startUdpProxy, turnSecret, type UdpProxy } from "./turn.ts";

/** Users whose calls go through coturn, behind a proxy that degrades the network as the test says. */
export const test = base.extend<object, { wire: UdpProxy }>({
  wire: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await using turn = await startTurn();
      await using proxy = await startUdpProxy(turn.port);
      await use(proxy);
    },
    { scope: "worker" },
  ],
  environment: [
    async ({ wire }, use) => {
      await use({ TURN_URLS: `turn:127.0.0.1:${wire.port}?transport=udp`, TURN_SECRET: turnSecret });
    },
    { scope: "worker" },
  ],
});
