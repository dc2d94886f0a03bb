import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/**
 * A zip larger than this is given up, so that one person's export cannot take the memory of all: it is in memory twice
 * while it is joined, and two are prepared at once. Compressed, it holds some millions of messages.
 */
const zipBytesMax = 64_000_000;

/** The export came out larger than it may. */
export class ExportTooLargeError extends Error {
  override readonly name = "ExportTooLargeError";
}

/** Writes files into one zip, piece by piece: only what is compressed is kept in memory. */
export class ExportZip {
  readonly #chunks: Uint8Array[] = [];
  readonly #mtime: Date;
  readonly #zip: Zip;
  #size = 0;
  #error: Error | null = null;

  constructor(at: Date) {
    this.#mtime = at;
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#error ??= error;
      else this.#chunks.push(chunk);
      this.#size += chunk?.length ?? 0;
    });
  }

  /** @throws ExportTooLargeError */
  async addText(name: string, parts: AsyncIterable<string>): Promise<void> {
    const file = new ZipDeflate(name);
    file.mtime = this.#mtime;
    this.#zip.add(file);
    for await (const part of parts) {
      file.push(Buffer.from(part));
      this.#check();
    }
    file.push(new Uint8Array(0), true);
  }

  /** A file that is compressed already. */
  addBytes(name: string, bytes: Uint8Array): void {
    const file = new ZipPassThrough(name);
    file.mtime = this.#mtime;
    this.#zip.add(file);
    file.push(bytes, true);
    this.#check();
  }

  /** The whole zip; nothing can be added any more. */
  end(): Buffer {
    this.#zip.end();
    this.#check();
    return Buffer.concat(this.#chunks);
  }

  #check(): void {
    if (this.#error) throw this.#error;
    if (this.#size > zipBytesMax) throw new ExportTooLargeError(`more than ${zipBytesMax} bytes`);
  }
}
