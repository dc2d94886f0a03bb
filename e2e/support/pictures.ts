import type { Page } from "@playwright/test";

/** A file as an upload field takes it. */
export interface PictureFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A JPEG of this size in pixels, whose upper half is red and lower half is blue. */
export async function drawPicture(page: Page, width: number, height: number): Promise<PictureFile> {
  const address = await page.evaluate(
    ([w, h]) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [w, h];
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      context.fillStyle = "#d01010";
      context.fillRect(0, 0, w, h / 2);
      context.fillStyle = "#1010d0";
      context.fillRect(0, h / 2, w, h / 2);
      return canvas.toDataURL("image/jpeg", 0.95);
    },
    [width, height] as const,
  );
  return { name: "picture.jpg", mimeType: "image/jpeg", buffer: Buffer.from(address.split(",")[1] ?? "", "base64") };
}

/** The same image with EXIF orientation 6 (rotate clockwise by 90 degrees): red is on the right then. */
export function turned({ buffer, ...file }: PictureFile): PictureFile {
  const orientation = Buffer.from("4d4d002a000000080001011200030000000100060000" + "00000000", "hex");
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), orientation]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), length, exif]);
  return { ...file, name: "turned.jpg", buffer: Buffer.concat([buffer.subarray(0, 2), segment, buffer.subarray(2)]) };
}

/** The name of the colour at a position in a shown image, both coordinates from 0 to 1. */
export async function colourAt(
  page: Page,
  src: string,
  at: { x: number; y: number },
): Promise<"red" | "blue" | "other"> {
  return page.evaluate(
    async ({ address, x, y }) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
      const context = canvas.getContext("2d");
      context?.drawImage(picture, 0, 0);
      const pixel = context?.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data;
      const [red = 0, , blue = 0] = pixel ?? [];
      return red > blue + 80 ? "red" : blue > red + 80 ? "blue" : "other";
    },
    { address: src, ...at },
  );
}

/**
 * A JPEG of 640 x 480 full of blots, the same for the same seed: different from all others for a perceptual hash too.
 */
export async function drawBlots(page: Page, seed: number): Promise<PictureFile> {
  const address = await page.evaluate((first) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    let state = first * 7_919;
    const next = () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647;
    context.fillStyle = "#808080";
    context.fillRect(0, 0, 640, 480);
    for (let blot = 0; blot < 24; blot += 1) {
      context.fillStyle = `hsl(${next() * 360} 60% ${10 + next() * 80}%)`;
      context.beginPath();
      context.arc(next() * 640, next() * 480, 30 + next() * 90, 0, 7);
      context.fill();
    }
    return canvas.toDataURL("image/jpeg", 0.9);
  }, seed);
  return { name: "blots.jpg", mimeType: "image/jpeg", buffer: Buffer.from(address.split(",")[1] ?? "", "base64") };
}
