/** Runs one piece of work at a time; of those that wait meanwhile only the newest is done. */
export class LatestOnly {
  #isRunning = false;
  #waiting: ((turn: "yours" | "overtaken") => void) | null = null;

  /** The result, or null where a newer piece of work overtook this one. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#isRunning) {
      this.#waiting?.("overtaken");
      const turn = await new Promise<"yours" | "overtaken">((resolve) => {
        this.#waiting = resolve;
      });
      if (turn === "overtaken") return null;
    }
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting;
      this.#waiting = null;
      // The turn goes over without a gap, so that nobody cuts in.
      this.#isRunning = next !== null;
      next?.("yours");
    }
  }
}
