import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import type { Pixels } from "@fava/wire/picture-hash.ts";

const textLengthMax = 500;

export class PictureCodes {
  #isPrepared = false;

  /** Cut to 500 characters; null without a code. */
  async read(pixels: Pixels): Promise<string | null> {
    await this.#prepare();
    const [found] = await readBarcodes(greyFileOf(pixels), { formats: ["QRCode"], maxNumberOfSymbols: 1 });
    return found?.isValid ? found.text.slice(0, textLengthMax) : null;
  }

  /** Otherwise the library would fetch its program from the network. */
  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    const program = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
    await prepareZXingModule({ overrides: { wasmBinary: program.buffer as ArrayBuffer }, fireImmediately: true });
    this.#isPrepared = true;
  }
}

/** Writes a grey file (PGM), which the library uses directly: colour would need a fourth byte per pixel. */
function greyFileOf({ width, height, data }: Pixels): Uint8Array {
  const header = Buffer.from(`P5 ${width} ${height} 255\n`);
  const file = new Uint8Array(header.length + width * height);
  file.set(header);
  // Line by line: V8 would compile one loop over the whole picture again for each picture.
  for (let row = 0; row < height; row += 1) {
    const line = data.subarray(row * width * 3, (row + 1) * width * 3);
    file.set(greyLineOf(line), header.length + row * width);
  }
  return file;
}

function greyLineOf(line: Uint8Array): Uint8Array {
  const grey = new Uint8Array(line.length / 3);
  for (let from = 0, to = 0; to < grey.length; from += 3, to += 1) {
    // 1,024 parts and rounded, as in the library.
    grey[to] = (306 * (line[from] ?? 0) + 601 * (line[from + 1] ?? 0) + 117 * (line[from + 2] ?? 0) + 512) >> 10;
  }
  return grey;
}
