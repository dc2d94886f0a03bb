import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import type { AvatarSource } from "#ports/identity.ts";
import { sandboxPersonByKey } from "./sandbox-identity.ts";

const strangerCount = 24;

/** 400 x 400 pixels; the same name always has the same portrait. */
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

/** Caches portraits by file, since rendering one is slow. */
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

export function portraitName(address: string): string | null {
  return portraitAddress.exec(address)?.[1] ?? null;
}

/** Returns the sandbox's own portraits without a request; passes all other addresses to the next source. */
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
