const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal that asks the process to stop. A second one, when stopping takes too long, ends it at once. */
export function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve(signal);
      });
    }
  });
}
