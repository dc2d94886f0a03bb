import { pino } from "pino";
import { Registry } from "prom-client";
import { endpoints } from "@fava/wire/endpoints.ts";
import { LocalNonces } from "#adapters/local/nonces.ts";
import { LocalLimits } from "#adapters/local/rate-limits.ts";
import { systemClock } from "#adapters/local/clock.ts";
import { buildHttp } from "#http/build-http.ts";
import { createLogger } from "#http/logger.ts";
const session = { kind: "live", session: { id: "session-of-ana-22chars", userId: 1n, externalId: "ana", role: 0, profileComplete: true }, signKey: Buffer.alloc(32, 7) } as const;
const off = process.argv.includes("nolog");
const app = await buildHttp({
  handlers: Object.fromEntries(Object.keys(endpoints).map((n) => [n, async () => ({ state: "searching", price: 0, since: 1 })])) as never,
  authenticate: async () => session, clock: systemClock, limits: new LocalLimits({ factor: 1e6 }), nonces: new LocalNonces({ clock: systemClock }),
  appKey: "fava-web", languages: ["en"], logger: off ? pino({ level: "silent" }) : createLogger({ level: "info" }), metrics: new Registry(), production: true,
  trustedProxies: [], contentHosts: [], webDirectory: "/nowhere", readyChecks: {},
});
await app.listen({ host: "127.0.0.1", port: 0 });
let cpu = process.cpuUsage();
process.on("message", (m) => { if (m === "start") cpu = process.cpuUsage(); else { const u = process.cpuUsage(cpu); process.send!({ user: u.user, system: u.system, rss: process.memoryUsage().rss }); if (m === "end") process.exit(0); } });
process.send!({ port: (app.server.address() as { port: number }).port });
