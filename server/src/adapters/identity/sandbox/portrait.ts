import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import type { AvatarSource } from "#ports/identity.ts";
import { sandboxPersonByKey } from "./sandbox-identity.ts";

/** How many pictures there are for people who are not seeded: `portraits/stranger-1.svg` and so on. */
const strangerCount = 24;

/** A head-and-shoulders picture as an SVG document, 400 x 400; the same name is always the same person. */
export function portraitSvg(name: string): string {
  return svgOf(fileOf(name));
}

function svgOf(file: string): string {
  return readFileSync(new URL(`./portraits/${file}.svg`, import.meta.url), "utf8");
}

function fileOf(name: string): string {
  return sandboxPersonByKey(name) ? name : strangerOf(name);
}

function strangerOf(name: string): string {
  return `stranger-${(createHash("sha256").update(name).digest().readUInt32BE() % strangerCount) + 1}`;
}

/** Those that were asked for, by their file: to draw one takes 47 ms of a core. */
const drawnPortraits = new Map<string, Promise<Buffer>>();

function drawnPortrait(name: string): Promise<Buffer> {
  const file = fileOf(name);
  let drawn = drawnPortraits.get(file);
  if (!drawn) {
    drawn = sharp(Buffer.from(svgOf(file)))
      .png()
      .toBuffer();
    drawnPortraits.set(file, drawn);
  }
  return drawn;
}

const portraitAddress = /^\/sandbox\/identity\/avatars\/([a-z0-9-]{1,40})\.svg$/;

/** Name behind the address of a portrait, or null for any other address. */
export function portraitName(address: string): string | null {
  return portraitAddress.exec(address)?.[1] ?? null;
}

/** The sandbox's own portraits: the server never has to call itself to fetch them. Any other address goes to the source behind. */
export class SandboxAvatars implements AvatarSource {
  readonly #behind: AvatarSource;

  constructor(behind: AvatarSource) {
    this.#behind = behind;
  }

  async fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null> {
    const name = portraitName(url);
    if (name === null) return this.#behind.fetch(url, allowedHosts);
    return drawnPortrait(name);
  }
}
