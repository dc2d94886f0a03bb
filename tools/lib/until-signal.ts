/** One Ctrl-C arrives more than once: from the terminal, from npm, and from what runs TypeScript. */
const sameSignalMs = 1_000;

/** Resolves with the first Ctrl-C or SIGTERM; another one, later, ends this process at once, and all others with it. */
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
