import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp from "sharp";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";

/** A QR code that says this, black on white with its quiet zone, 240 px square, as PNG. */
export async function qrCode(text: string): Promise<Buffer> {
  const program = await readFile(createRequire(import.meta.url).resolve("zxing-wasm/writer/zxing_writer.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: program.buffer as ArrayBuffer }, fireImmediately: true });
  const { svg, error } = await writeBarcode(text, { format: "QRCode", addQuietZones: true });
  if (error) throw new Error(error);
  return sharp(Buffer.from(svg), { density: 300 })
    .flatten({ background: "#ffffff" })
    .resize(240, 240, { kernel: "nearest" })
    .png()
    .toBuffer();
}
