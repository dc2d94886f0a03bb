import { Counter, Histogram, type Registry } from "prom-client";

/** Numbers of the calls, by path and code; both come from fixed lists, so the series are few. */
export class CallMetrics {
  readonly #answers: Counter<"call" | "code">;
  readonly #seconds: Histogram<"call">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#answers = new Counter({
      name: "fava_calls_total",
      help: "Answered calls by path and code",
      labelNames: ["call", "code"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "fava_call_seconds",
      help: "Time from the first byte of a call to its answer",
      labelNames: ["call"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    });
  }

  observe(call: string, code: number, ms: number): void {
    this.#answers.inc({ call, code });
    this.#seconds.observe({ call }, ms / 1_000);
  }
}
