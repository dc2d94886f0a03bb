import sharp from "sharp";
import type { AvatarSource } from "#ports/avatars.ts";
import type { Blobs } from "#ports/blobs.ts";
import type { Logger } from "pino";

const avatarSizePx = 256;
const sourcePixelsMax = 25_000_000;

/** Takes a provider's picture over as our own: fetched once, decoded, cut square, written anew without its metadata. */
export class AvatarImport {
  readonly #source: AvatarSource;
  readonly #blobs: Blobs;
  readonly #log: Pick<Logger, "warn">;

  constructor(options: { source: AvatarSource; blobs: Blobs; log: Pick<Logger, "warn"> }) {
    this.#source = options.source;
    this.#blobs = options.blobs;
    this.#log = options.log;
  }

  /** Key of the stored picture; empty where there is none. Never fails a sign-in (rule SIGNIN-67). */
  async run(url: string, allowedHosts: readonly string[]): Promise<string> {
    if (url === "") return "";
    try {
      const bytes = await this.#source.fetch(url, allowedHosts);
      if (!bytes) return "";
      const picture = await sharp(bytes, { limitInputPixels: sourcePixelsMax, failOn: "error" })
        .autoOrient()
        .resize(avatarSizePx, avatarSizePx, { fit: "cover" })
        .webp({ quality: 82 })
        .toBuffer();
      return await this.#blobs.put(picture, "webp");
    } catch (error) {
      this.#log.warn({ error: String(error) }, "avatar not taken over");
      return "";
    }
  }
}
