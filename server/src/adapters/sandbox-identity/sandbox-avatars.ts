import sharp from "sharp";
import type { AvatarSource } from "#ports/avatars.ts";
import { portraitSvg } from "./portrait.ts";

const portraitAddress = /^\/sandbox\/identity\/avatars\/([a-z0-9-]{1,40})\.svg$/;

/** Name behind the address of a portrait, or null for any other address. */
export function portraitName(address: string): string | null {
  return portraitAddress.exec(address)?.[1] ?? null;
}

/**
 * The sandbox's own portraits, drawn in process: the server never has to call itself to fetch them. Any other address
 * goes to the source behind.
 */
export class SandboxAvatars implements AvatarSource {
  readonly #behind: AvatarSource;

  constructor(behind: AvatarSource) {
    this.#behind = behind;
  }

  async fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null> {
    const name = portraitName(url);
    if (name === null) return this.#behind.fetch(url, allowedHosts);
    return sharp(Buffer.from(portraitSvg(name)))
      .png()
      .toBuffer();
  }
}
