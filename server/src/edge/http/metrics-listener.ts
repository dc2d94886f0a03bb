import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { Logger } from "pino";
import type { Registry } from "prom-client";

interface MetricsListenerOptions {
  host: string;
  /** 0: a free port. */
  port: number;
  metrics: Pick<Registry, "contentType" | "metrics">;
  logger: Pick<Logger, "error">;
}

/** Scrapers are few and send small requests. */
const connectionsMax = 32;
const requestTimeoutMs = 10_000;

export class MetricsPortError extends Error {
  override readonly name = "MetricsPortError";
  constructor(address: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    super(`no listener for metrics at ${address} (${code}). Fix METRICS_PORT or METRICS_HOST`, { cause });
  }
}

/** Answers GET of /metrics on a port of its own, to all callers, and 404 to everything else. */
export class MetricsListener implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @throws MetricsPortError if the port is taken or the address is not of this machine. */
  static async open({ host, port, metrics, logger }: MetricsListenerOptions): Promise<MetricsListener> {
    const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
      answer(request, response, metrics).catch((error: unknown) => {
        logger.error({ err: error }, "failed to collect the metrics");
        response.writeHead(500).end();
      });
    });
    server.maxConnections = connectionsMax;
    server.listen({ host, port });
    try {
      await once(server, "listening");
    } catch (error) {
      throw new MetricsPortError(`${host}:${port}`, error);
    }
    return new MetricsListener(server);
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  metrics: MetricsListenerOptions["metrics"],
): Promise<void> {
  if (method !== "GET" || url?.split("?", 1)[0] !== "/metrics") return void response.writeHead(404).end();
  const text = await metrics.metrics();
  response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" }).end(text);
}
