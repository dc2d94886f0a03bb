import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { uploadTimeoutMs } from "@fava/wire/limits.ts";
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
  /** Proxies whose `X-Forwarded-*` headers are trusted: addresses and networks. */
  trustedProxies: readonly string[];
  /** See `providerHosts`. */
  contentHosts: readonly ContentHosts[];
  /** Absolute path of the built web app, which may be missing. */
  webDirectory: string;
  /** Our own origin for browsers; null: taken from each request. */
  publicOrigin: string | null;
  operator: PageFacts["operator"];
  loginTypes: PageFacts["loginTypes"];
  translator: PageFacts["translator"];
  readyChecks: Readonly<Record<string, ReadyCheck>>;
  isDraining?: () => boolean;
  engineChecks: Readonly<Record<string, ReadyCheck>>;
  /** Registers further routes, such as those of the sandbox and of pictures. */
  plugins?: (app: FastifyInstance) => Promise<void>;
}

const headersTimeoutMs = 10_000;
const connectionTimeoutMs = 60_000;
/** Longer than the 60 s of common load balancers, so that they close idle connections first. */
const keepAliveTimeoutMs = 65_000;
const requestsPerSocketMax = 10_000;
/** Routes with another limit declare it themselves. */
const bodyBytesMax = 65_536;

const closingLookMs = 100;
/** For requests that are running when the server closes, including uploads. */
const closingMsMax = 5_000;

export interface HttpSide {
  /** Closing it closes everything that was opened here. The socket hub handles `upgrade` of its server. */
  readonly app: FastifyInstance;
  readonly answerSocketRequest: AnswerSocketRequest;
}

/** Does not listen. */
export async function buildHttp(options: HttpOptions): Promise<HttpSide> {
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Child loggers per request would repeat what the request log has.
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
  endConnectionsOnClose(app, options);
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
  await serveWebApp(app, { ...options, directory: options.webDirectory });
  return { app, answerSocketRequest: socketRequests(gated, { ...options, metrics }) };
}

/**
 * Responses close their connection, so that none delays the stop. During a drain they do, too: a proxy must not send the
 * next request on a connection that is about to end. Requests still running 5 s after the close are cut.
 */
function endConnectionsOnClose(app: FastifyInstance, options: Pick<HttpOptions, "clock" | "isDraining">): void {
  const { clock, isDraining } = options;
  let isClosing = false;
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing || isDraining?.()) reply.header("connection", "close");
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
