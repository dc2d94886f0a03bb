import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import type { Pixels } from "#picture-pixels.ts";

const textLengthMax = 500;

/** Looks for QR codes in pictures. */
export class PictureCodes {
  #isPrepared = false;

  /** What the first code says, cut to 500 characters; null without one. */
  async read({ width, height, data }: Pixels): Promise<string | null> {
    await this.#prepare();
    const rgba = new Uint8ClampedArray(width * height * 4);
    for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
      rgba[to] = data[from] ?? 0;
      rgba[to + 1] = data[from + 1] ?? 0;
      rgba[to + 2] = data[from + 2] ?? 0;
      rgba[to + 3] = 255;
    }
    const image = { data: rgba, width, height, colorSpace: "srgb" as const };
    const [found] = await readBarcodes(image, { formats: ["QRCode"], maxNumberOfSymbols: 1 });
    return found?.isValid ? found.text.slice(0, textLengthMax) : null;
  }

  /** The library would otherwise fetch its program from the network. */
  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    const program = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
    await prepareZXingModule({ overrides: { wasmBinary: program.buffer as ArrayBuffer }, fireImmediately: true });
    this.#isPrepared = true;
  }
}
