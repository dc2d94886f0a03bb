import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { uploadTimeoutMs } from "@fava/wire/limits.ts";
import type { Clock } from "#ports/clock.ts";
import type { ContentHosts } from "#ports/identity.ts";
import type { AnswerSocketRequest } from "#ports/hub-listener.ts";
import { answerErrors } from "./error-handler.ts";
import { addHealth, type ReadyCheck } from "./health.ts";
import { RequestMetrics, logRequests } from "./metrics.ts";
import { serveOpenApi } from "./openapi.ts";
import { type RequestGateOptions, decorateRequests, gateEndpoints, registerEndpoints } from "./request-gate.ts";
import { addSecurityHeaders } from "./security-headers.ts";
import { socketRequests } from "./socket-requests.ts";
import { type PageFacts, serveWebApp } from "./web-app.ts";

export interface HttpOptions extends RequestGateOptions {
  logger: Logger;
  metrics: Registry;
  production: boolean;
  /** Addresses and networks whose `X-Forwarded-*` headers are believed; empty: nobody's. */
  trustedProxies: readonly string[];
  /** Foreign hosts of the live sign-in providers, see `providerHosts`. */
  contentHosts: readonly ContentHosts[];
  /** Absolute path of the built web app; it may be missing. */
  webDirectory: string;
  /** Our own origin as browsers reach it; null: the one each request names. */
  publicOrigin: string | null;
  /** Who runs this installation, for the pages that say so. */
  operator: PageFacts["operator"];
  /** Providers that people can sign in with. */
  loginTypes: PageFacts["loginTypes"];
  readyChecks: Readonly<Record<string, ReadyCheck>>;
  /** Whether the server is about to stop; left out where it never says so. */
  isDraining?: () => boolean;
  /** Of what the server works on without. */
  engineChecks: Readonly<Record<string, ReadyCheck>>;
  /** Registers further routes, such as the sandbox's and the pictures'. */
  plugins?: (app: FastifyInstance) => Promise<void>;
}

/** The headers of a request, and a connection on which nothing moves. */
const headersTimeoutMs = 10_000;
const connectionTimeoutMs = 60_000;
/** Longer than the 60 s of common load balancers, so that it is they who close an idle connection. */
const keepAliveTimeoutMs = 65_000;
const requestsPerSocketMax = 10_000;
/** Routes that take a larger or smaller body say so themselves. */
const bodyBytesMax = 65_536;

const closingLookMs = 100;
/** For requests that are under way when the server closes, uploads among them. */
const closingMsMax = 5_000;

export interface HttpSide {
  /** Closing it ends everything that was opened here. The socket hub listens to `upgrade` of its server. */
  readonly app: FastifyInstance;
  /** For the hub: the same calls as messages. */
  readonly answerSocketRequest: AnswerSocketRequest;
}

/** Puts the whole HTTP side together, without listening. */
export async function buildHttp(options: HttpOptions): Promise<HttpSide> {
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would only repeat what the request log says in one line.
    childLoggerFactory: (logger) => logger,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: bodyBytesMax,
    requestTimeout: uploadTimeoutMs,
    connectionTimeout: connectionTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxRequestsPerSocket: requestsPerSocketMax,
    forceCloseConnections: "idle",
    http: { headersTimeout: headersTimeoutMs },
  });
  endConnectionsOnClose(app, options.clock);
  app.removeAllContentTypeParsers();
  decorateRequests(app);
  answerErrors(app, options.logger);
  const metrics = new RequestMetrics(options.metrics);
  logRequests(app, options.logger, metrics);
  addSecurityHeaders(app, { production: options.production, hosts: options.contentHosts });
  addHealth(app, { ...options, checks: options.readyChecks });
  const gated = gateEndpoints(options);
  await registerEndpoints(app, gated);
  serveOpenApi(app);
  await options.plugins?.(app);
  const { webDirectory: directory, appKey, publicOrigin, operator, languages, loginTypes, contentHosts } = options;
  await serveWebApp(app, { directory, appKey, publicOrigin, operator, languages, loginTypes, contentHosts });
  return { app, answerSocketRequest: socketRequests(gated, { ...options, metrics }) };
}

/**
 * Once the server closes, every answer ends its connection, and connections that have become idle since are closed, so
 * that a kept one does not hold up a stop. What still runs after 5 s is cut.
 */
function endConnectionsOnClose(app: FastifyInstance, clock: Pick<Clock, "after">): void {
  let isClosing = false;
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    const { server } = app;
    if (!server.listening) return;
    let next = lookLater();
    const limit = clock.after(closingMsMax, () => server.closeAllConnections());
    server.once("close", () => {
      next[Symbol.dispose]();
      limit[Symbol.dispose]();
    });
    function lookLater(): Disposable {
      return clock.after(closingLookMs, () => {
        server.closeIdleConnections();
        next = lookLater();
      });
    }
  });
}
