import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Span, SpanAttributes } from "#ports/traces.ts";

type Value = { readonly stringValue?: string; readonly boolValue?: boolean };

interface Exported {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Pick<Span, "name" | "traceId" | "spanId"> & {
        readonly parentSpanId: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: readonly { readonly key: string; readonly value: Value }[];
      })[];
    }[];
  }[];
}

/** A collector for OTLP/HTTP in JSON, on a loopback port. */
export class FakeCollector implements AsyncDisposable {
  readonly spans: Span[] = [];
  status = 200;
  /** True: accept requests but never respond. */
  isSilent = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        if (this.isSilent) return;
        const isTaken = this.status === 200 && request.url === "/v1/traces";
        if (isTaken) this.#take(JSON.parse(Buffer.concat(parts).toString()) as Exported);
        response.writeHead(isTaken ? 200 : this.status, { "content-type": "application/json" }).end("{}");
      });
    });
  }

  static async start(): Promise<FakeCollector> {
    const collector = new FakeCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, "127.0.0.1", resolve));
    return collector;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #take({ resourceSpans }: Exported): void {
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { name, traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, attributes } of spans)
          this.spans.push({
            name,
            traceId,
            spanId,
            parentId: parentSpanId,
            startMs: Number(BigInt(startTimeUnixNano) / 1_000n) / 1_000,
            endMs: Number(BigInt(endTimeUnixNano) / 1_000n) / 1_000,
            attributes: Object.fromEntries(
              attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue]),
            ) as SpanAttributes,
          });
  }
}
