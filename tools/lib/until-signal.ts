/** One Ctrl-C arrives several times: from the terminal, from npm, and from the TypeScript runner. */
const sameSignalMs = 1_000;

/** Resolves on the first Ctrl-C or SIGTERM; another one later ends this process and all its children at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (askedAtMs !== null && performance.now() - askedAtMs > sameSignalMs) process.exit(1);
        askedAtMs ??= performance.now();
        resolve();
      });
    }
  });
}
