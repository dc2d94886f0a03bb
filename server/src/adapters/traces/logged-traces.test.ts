import { pino } from "pino";
import type { Span } from "#ports/traces.ts";
import { tracesContract } from "#test/contracts/traces-contract.ts";
import { LoggedTraces } from "./logged-traces.ts";

type Line = Omit<Span, "name" | "endMs" | "attributes"> & { span: Span["name"]; ms: number };

tracesContract("the log", async () => {
  const spans: Span[] = [];
  const write = (text: string) => {
    const {
      level: _,
      msg: __,
      span: name,
      ms,
      traceId,
      spanId,
      parentId,
      startMs,
      ...attributes
    } = JSON.parse(text) as Line & Record<"level" | "msg", unknown>;
    spans.push({ name, traceId, spanId, parentId, startMs, endMs: startMs + ms, attributes });
  };
  const logger = pino({ level: "debug", base: null, timestamp: false }, { write });
  return { traces: new LoggedTraces({ logger }), arrived: () => spans, [Symbol.asyncDispose]: async () => {} };
});
