/** Draws a JPEG of this size in pixels, whose upper half is red and lower half is blue. */
export async function drawPicture(width: number, height: number): Promise<File> {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.fillStyle = "#d01010";
  context.fillRect(0, 0, width, height / 2);
  context.fillStyle = "#1010d0";
  context.fillRect(0, height / 2, width, height / 2);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.95));
  if (!blob) throw new Error("no image");
  return new File([blob], "picture.jpg", { type: "image/jpeg" });
}

/** The same image with EXIF orientation 6 (rotate clockwise by 90 degrees): red is on the right then. */
export async function turned(picture: File): Promise<File> {
  const orientation = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = [...new TextEncoder().encode("Exif\0\0MM\0*"), 0, 0, 0, 8, ...orientation];
  const segment = Uint8Array.from([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return new File([bytes.slice(0, 2), segment, bytes.slice(2)], "turned.jpg", { type: picture.type });
}

/** The name of the colour at a position in a shown image, both coordinates from 0 to 1. */
export async function colourAt(src: string, { x, y }: { x: number; y: number }): Promise<"red" | "blue" | "other"> {
  const picture = new Image();
  picture.src = src;
  await picture.decode();
  const { naturalWidth: width, naturalHeight: height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context?.drawImage(picture, 0, 0);
  const [red = 0, , blue = 0] = context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data ?? [];
  return red > blue + 80 ? "red" : blue > red + 80 ? "blue" : "other";
}
