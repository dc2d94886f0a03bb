import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { LoadFigures } from "./load-crowd.ts";
import type { LoadOrder, LoadReport } from "./load.ts";
import { stopChild } from "./served-product.ts";

/** Time limits of an order: a minimum, and more for each person, for a machine that other work keeps busy. */
const orderTimeoutMsMin = 180_000;
const orderTimeoutMsEach = 600;

/** The load in its own process, so that its processor time is counted separately. */
export interface Load extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the measurement. */
  obey(order: LoadOrder, began?: () => void): Promise<LoadFigures | null>;
}

export function startLoad(people: number): Load {
  const timeoutMs = Math.max(orderTimeoutMsMin, people * orderTimeoutMsEach);
  const child = fork(fileURLToPath(new URL("load.ts", import.meta.url)), { execArgv: ["--import", "tsx"] });
  return {
    pid: child.pid ?? 0,
    obey: (order, began) => orderDone(child, order, { timeoutMs, began }),
    [Symbol.asyncDispose]: () => stopChild(child),
  };
}

function orderDone(
  child: ChildProcess,
  order: LoadOrder,
  { timeoutMs, began }: { timeoutMs: number; began: (() => void) | undefined },
): Promise<LoadFigures | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(new Error(`the load took too long to ${order.type}`)), timeoutMs);
    const onMessage = (said: LoadReport) => {
      if (said.type === "began") return began?.();
      end(null, said.figures);
    };
    const onExit = () => end(new Error("the load process ended"));
    function end(error: Error | null, figures: LoadFigures | null = null): void {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      if (error) reject(error);
      else resolve(figures);
    }
    child.on("message", onMessage).on("exit", onExit);
    child.send(order);
  });
}
