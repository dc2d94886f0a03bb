import { lookup } from "node:dns";
import { get as httpGet, type IncomingMessage, type RequestOptions } from "node:http";
import { get as httpsGet } from "node:https";
import type { LookupFunction } from "node:net";
import { fileTypeFromBuffer } from "file-type";
import ipaddr from "ipaddr.js";
import { isHostOf } from "#lib/host-names.ts";
import type { AvatarSource } from "#ports/identity.ts";

const avatarBytesMax = 1_048_576;
const avatarTimeoutMs = 5_000;
const redirectsMax = 2;
/** Formats that the picture library decodes without text formats such as SVG, which can reference other addresses. */
const photoTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"]);

type Answer = { kind: "picture"; bytes: Buffer } | { kind: "redirect"; to: string } | { kind: "refused" };

/** Fetches from allowed hosts only, and connects to the public address that it checked (against DNS rebinding). */
export class HttpsAvatars implements AvatarSource {
  readonly #insecureLoopback: boolean;

  /** `insecureLoopback` also allows http and loopback addresses, for tests. */
  constructor(options: { insecureLoopback?: boolean } = {}) {
    this.#insecureLoopback = options.insecureLoopback ?? false;
  }

  async fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null> {
    const deadline = AbortSignal.timeout(avatarTimeoutMs);
    let address = url;
    for (let hop = 0; hop <= redirectsMax; hop += 1) {
      const target = this.#allowed(address, allowedHosts);
      if (!target) return null;
      const answer = await this.#get(target, deadline);
      if (answer.kind === "refused") return null;
      if (answer.kind === "picture") return answer.bytes;
      if (!URL.canParse(answer.to, target.href)) return null;
      address = new URL(answer.to, target).href;
    }
    return null;
  }

  #allowed(address: string, allowedHosts: readonly string[]): URL | null {
    if (!URL.canParse(address)) return null;
    const url = new URL(address);
    if (url.username !== "" || url.password !== "") return null;
    if (!this.#insecureLoopback && (url.protocol !== "https:" || url.port !== "")) return null;
    if (url.protocol !== "https:" && url.protocol !== "http:") return null;
    return isHostOf(url.hostname, allowedHosts) ? url : null;
  }

  #get(target: URL, signal: AbortSignal): Promise<Answer> {
    const options: RequestOptions = {
      signal,
      lookup: this.#publicLookup,
      agent: false,
      headers: { accept: "image/*" },
    };
    return new Promise((resolve) => {
      // A literal IP address in the URL needs no DNS lookup, so no lookup would check it.
      const literal = target.hostname.replace(/^\[|\]$/g, "");
      if (ipaddr.isValid(literal) && !this.#isReachable(literal)) return resolve({ kind: "refused" });
      const send = target.protocol === "https:" ? httpsGet : httpGet;
      const request = send(target, options, (response) => {
        void readAnswer(response).then(resolve, () => resolve({ kind: "refused" }));
      });
      request.on("error", () => resolve({ kind: "refused" }));
    });
  }

  readonly #publicLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      const refused =
        error ?? (addresses?.every(({ address }) => this.#isReachable(address)) ? null : new Error("not public"));
      if (refused || !first) return callback(refused ?? new Error("no address"), "", 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

  #isReachable(address: string): boolean {
    const range = ipaddr.process(address).range();
    return range === "unicast" || (this.#insecureLoopback && range === "loopback");
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const location = response.headers.location;
  if (status >= 300 && status < 400 && location !== undefined) {
    response.destroy();
    return { kind: "redirect", to: location };
  }
  if (status !== 200 || Number(response.headers["content-length"] ?? 0) > avatarBytesMax) {
    response.destroy();
    return { kind: "refused" };
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop destroys the response and its connection.
    if (size > avatarBytesMax) return { kind: "refused" };
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const type = await fileTypeFromBuffer(bytes);
  return type && photoTypes.has(type.mime) ? { kind: "picture", bytes } : { kind: "refused" };
}
