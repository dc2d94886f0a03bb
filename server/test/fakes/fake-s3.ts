import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Settings } from "#adapters/blobs/s3-blobs.ts";

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const authorizationShape =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
const clockSkewMaxMs = 900_000;

/**
 * A bucket on a loopback port, with its objects in a map. By Amazon's documentation, each request needs a valid
 * signature (AWS Signature Version 4) over method, path, query, headers and the exact body.
 */
export class FakeS3 implements AsyncDisposable {
  readonly settings: S3Settings;
  readonly objects = new Map<string, { bytes: Buffer; contentType: string }>();
  /** For the next `count` requests, the status and code to fail with. */
  failures: { count: number; status: number; code: string } = { count: 0, status: 503, code: "SlowDown" };
  /** True: accept requests but never respond. */
  isSilent = false;
  /** Methods, or LIST, that this access key may not use. */
  readonly denied = new Set<string>();
  /** True: send only half of each response. */
  stopsInTheMiddle = false;
  /** Method and path of each request, with the code of its refusal or null. */
  readonly requests: { request: string; refused: string | null }[] = [];
  readonly #close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.settings = {
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-test-1",
      bucket: "fava-pictures",
      accessKeyId: "AKIATESTTESTTEST",
      secretAccessKey: "secret/of+the=bucket",
    };
  }

  static async start(): Promise<FakeS3> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        if (fake.isSilent) return;
        const { status, headers, body } = fake.#serve(request, Buffer.concat(parts));
        const length = { "content-length": Buffer.byteLength(body ?? "") };
        response.writeHead(status, { "x-amz-request-id": "1", ...(status !== 204 && length), ...headers });
        if (fake.stopsInTheMiddle && body) response.write(body.slice(0, body.length / 2));
        else response.end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const fake = new FakeS3((server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return fake;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  #serve(request: IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url ?? "/", this.settings.endpoint);
    const refused = this.#refusalOf(request, url, body);
    this.requests.push({ request: `${request.method} ${url.pathname}`, refused });
    if (refused !== null) return failure(403, refused);
    if (this.failures.count > 0) {
      this.failures.count -= 1;
      return failure(this.failures.status, this.failures.code);
    }
    const [, bucket, key, ...more] = url.pathname.split("/");
    if (bucket !== this.settings.bucket || more.length > 0) return failure(404, "NoSuchBucket");
    if (this.denied.has(request.method ?? "") || (!key && this.denied.has("LIST"))) return failure(403, "AccessDenied");
    if (!key && url.searchParams.has("list-type")) return this.#list(url.searchParams.get("prefix") ?? "");
    return key ? this.#answer(request, key, body) : failure(404, "NoSuchBucket");
  }

  #list(prefix: string): Answer {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    const body = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${contents}</ListBucketResult>`;
    return { status: 200, headers: { "content-type": "application/xml" }, body };
  }

  #answer(request: IncomingMessage, key: string, body: Buffer): Answer {
    switch (request.method ?? "") {
      case "PUT":
        this.objects.set(key, { bytes: body, contentType: request.headers["content-type"] ?? "" });
        return { status: 200, headers: { etag: `"${hash("md5", body)}"` } };
      case "GET": {
        const object = this.objects.get(key);
        if (!object) return failure(404, "NoSuchKey");
        return { status: 200, headers: { "content-type": object.contentType }, body: object.bytes };
      }
      case "DELETE":
        this.objects.delete(key);
        return { status: 204 };
      default:
        return failure(405, "MethodNotAllowed");
    }
  }

  /** Why the request is rejected, or null. */
  #refusalOf({ headers, method }: IncomingMessage, url: URL, body: Buffer): string | null {
    const { accessKeyId, region } = this.settings;
    const parts = authorizationShape.exec(headers.authorization ?? "");
    if (!parts) return "AccessDenied";
    const [, keyId = "", day = "", signedRegion = "", names = "", signature = ""] = parts;
    const at = String(headers["x-amz-date"]);
    const bodyHash = String(headers["x-amz-content-sha256"]);
    if (keyId !== accessKeyId) return "InvalidAccessKeyId";
    if (signedRegion !== region || !at.startsWith(day)) return "AuthorizationHeaderMalformed";
    if (Math.abs(timeOf(at) - Date.now()) > clockSkewMaxMs) return "RequestTimeTooSkewed";
    if (bodyHash !== hash("sha256", body)) return "XAmzContentSHA256Mismatch";
    const signedNames = names.split(";");
    // Each identity, time and content header must be signed, or it could be forged.
    const required = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
    if (!required.every((name) => signedNames.includes(name))) return "AccessDenied";
    const canonical = [
      method,
      url.pathname,
      Array.from(url.searchParams)
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
        .toSorted()
        .join("&"),
      ...signedNames.map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
      "",
      names,
      bodyHash,
    ].join("\n");
    const scope = `${day}/${region}/s3/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", at, scope, hash("sha256", canonical)].join("\n");
    const expected = hmac(this.#signingKey(day), text);
    return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? null : "SignatureDoesNotMatch";
  }

  #signingKey(day: string): Buffer {
    const { secretAccessKey, region } = this.settings;
    return [day, region, "s3", "aws4_request"].reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
  }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Parses a time such as `20260102T030405Z` into milliseconds. */
function timeOf(at: string): number {
  return Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

function failure(status: number, code: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}
