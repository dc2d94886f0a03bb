import sharp from "sharp";
import { expect, test } from "vitest";
import { readPixels } from "#lib/picture-pixels.ts";
import { qrCode } from "#test/fixtures/qr-code.ts";
import { PictureCodes } from "./picture-codes.ts";

const said = "https://t.me/somebody";
const codes = new PictureCodes();

interface Drawn {
  readonly width: number;
  readonly height: number;
  /** Of the code, in degrees and pixels. */
  readonly angle?: number;
  readonly edge?: number;
  readonly isLight?: boolean;
  readonly tint?: string;
}
const frame = { width: 640, height: 480 };

test.each<[string, Drawn]>([
  ["upright", frame],
  ["turned", { ...frame, angle: 35 }],
  ["small, in a picture of an odd size", { width: 417, height: 313, edge: 80 }],
  ["in a picture larger than a frame", { width: 1_400, height: 1_050, edge: 700 }],
  ["light on dark", { ...frame, isLight: true }],
  ["in colour", { ...frame, tint: "#4060ff" }],
])("reads a code that is %s", async (_what, drawing) => {
  const { width, height, angle = 0, edge = 200, isLight = false, tint } = drawing;
  const plain = sharp(await qrCode(said)).resize(edge, edge, { kernel: "nearest" });
  const drawn = await (isLight ? plain.negate({ alpha: false }) : plain).png().toBuffer();
  const coloured = await (tint ? sharp(drawn).tint(tint) : sharp(drawn)).png().toBuffer();
  const background = isLight ? "#000000" : "#ffffff";
  const input = await sharp(coloured).rotate(angle, { background }).png().toBuffer();
  const picture = await sharp({ create: { width, height, channels: 3, background: "#667788" } })
    .composite([{ input, left: 40, top: 30 }])
    .jpeg({ quality: 70 })
    .toBuffer();
  expect(await codes.read(await readPixels(picture))).toBe(said);
});

test("finds no code in a picture of a single pixel", async () => {
  expect(await codes.read({ width: 1, height: 1, data: new Uint8Array(3) })).toBeNull();
});
