import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { MatchService } from "#features/match/service.ts";
import type { Hub } from "#socket/hub.ts";

/** Process metrics, and how many people are here. */
export function appMetrics({ hub, matches }: { hub: Hub; matches: MatchService }): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const registers = [metrics];
  new Gauge({
    name: "fava_people_present",
    help: "People with a chat session",
    registers,
    collect() {
      this.set(hub.presentCount());
    },
  });
  new Gauge({
    name: "fava_people_searching",
    help: "People who search",
    registers,
    collect() {
      this.set(matches.counts.searching);
    },
  });
  return metrics;
}
