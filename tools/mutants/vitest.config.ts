import type { RunnerTestCase, RunnerTestFile } from "vitest";
import { defineConfig } from "vitest/config";
import type { Reporter, Vitest } from "vitest/node";

/** Stryker's runner sees failed tests only. Without this, a mutant that keeps a test file from loading would survive. */
class FailedFilesAreTests implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleEnd({ id }: { id: string }): void {
    const file = this.#vitest?.state.idMap.get(id) as RunnerTestFile;
    if (file.result?.state !== "fail" || file.tasks.length > 0) return;
    const test = { id: `${id}_0`, name: "loads", type: "test", mode: "run", file, suite: file, result: file.result };
    file.tasks.push(test as unknown as RunnerTestCase);
  }
}

export default defineConfig({
  test: {
    include: [process.env["MUTANT_TESTS"] ?? ""],
    provide: { depth: 1, seed: 1 },
    isolate: false,
    reporters: [new FailedFilesAreTests()],
  },
});
