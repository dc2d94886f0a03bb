import type { Logger } from "pino";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Peers } from "#ports/peers.ts";
import { inTime } from "./in-time.ts";

type Figure = readonly [name: string, help: string, read: () => number];

export function addGauges(metrics: Registry, figures: readonly Figure[]): void {
  for (const [name, help, read] of figures) {
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(read());
      },
    });
  }
}

export function addCounters(metrics: Registry, figures: readonly Figure[]): void {
  for (const [name, help, read] of figures) {
    new Counter({
      name,
      help,
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** Adds a counter with one label. `read` returns the counts by label value since the server started. */
export function addLabelledCounter(
  metrics: Registry,
  counter: { name: string; help: string; label: string; read: () => Readonly<Record<string, number>> },
): void {
  const { name, help, label, read } = counter;
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

interface QueriedGauge {
  name: string;
  help: string;
  /** Without it the gauge has one value. */
  label?: string;
  /** Reads the current value, or the values by label value. */
  read: () => Promise<number | Readonly<Record<string, number>>>;
  logger: Pick<Logger, "warn">;
}

/** Less than the 10 s that Prometheus waits for all metrics. */
const readMsMax = 3_000;
/** The last read of each registry: reads wait for each other, so that a scrape takes one connection of the pool. */
const reading = new WeakMap<Registry, Promise<unknown>>();

/**
 * Adds a gauge whose values each scrape reads from a database, Redis or the disk. A failed read leaves the gauge without
 * values, so that it does not hide the other metrics, and its first failure is logged.
 */
export function addQueriedGauge(metrics: Registry, { name, help, label, read, logger }: QueriedGauge): void {
  let isFailing = false;
  new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [metrics],
    async collect() {
      let values: Awaited<ReturnType<typeof read>> = {};
      try {
        const before = reading.get(metrics) ?? Promise.resolve();
        const found = inTime(before.then(read), { ms: readMsMax, name });
        reading.set(
          metrics,
          found.catch(() => undefined),
        );
        values = await found;
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error, metric: name }, "failed to read a metric");
        isFailing = true;
      }
      this.reset();
      if (typeof values === "number") return this.set(values);
      if (label === undefined) return this.remove();
      for (const [of, value] of Object.entries(values)) this.set({ [label]: of }, value);
    },
  });
}

export function peerMetrics(metrics: Registry, peers: Pick<Peers, "figures" | "onAsked">): void {
  const registers = [metrics];
  const asked = new Histogram({
    name: "fava_peer_seconds",
    help: "Requests to other servers, by outcome",
    labelNames: ["outcome"],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2],
    registers,
  });
  peers.onAsked((tookMs, outcome) => asked.observe({ outcome }, tookMs / 1_000));
  addCounters(metrics, [
    ["fava_peer_nobody_total", "Requests that no server received", () => peers.figures.nobody],
    ["fava_bus_gap_total", "Times when messages from other servers may have been lost", () => peers.figures.gaps],
  ]);
}
