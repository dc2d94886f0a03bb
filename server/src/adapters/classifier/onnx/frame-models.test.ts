import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { frameModels } from "#ports/frame-classifier.ts";
import { readModel } from "./frame-models.ts";

test("reads every model, and rejects one with a changed byte", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fava-models-"));
  try {
    for (const model of [...frameModels, "open-nsfw"] as const) {
      const bytes = await readModel(model);
      const damaged = bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1);
      await writeFile(join(folder, `${model}.onnx`), damaged);
      await expect(readModel(model, pathToFileURL(`${folder}/`))).rejects.toThrow(`${model}.onnx is damaged`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
