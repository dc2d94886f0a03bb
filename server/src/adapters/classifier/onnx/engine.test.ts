import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("sends the maker of the engine nothing about its use", () => {
  const home = mkdtempSync(join(tmpdir(), "fava-engine-"));
  try {
    const [engine, models] = ["./engine.ts", "./frame-models.ts"].map((path) => new URL(path, import.meta.url).href);
    const program = `
      const { loadEngine } = await import(${JSON.stringify(engine)});
      const { readModel } = await import(${JSON.stringify(models)});
      const { name, open } = await loadEngine(["onnx-native"]);
      await open(await readModel("dlib-age"), 64);
      console.log(name);`;
    const words = ["--import=tsx", "--input-type=module", "--eval", program];
    // Without CI, where the library would send nothing.
    const said = execFileSync(process.execPath, words, { env: { HOME: home }, encoding: "utf8" });
    expect(said.trim()).toBe("onnx-native");
    // Here it would keep an id of this machine and what it has not sent yet.
    expect(readdirSync(home)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
