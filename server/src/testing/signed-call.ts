import { createHash, createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Code } from "@fava/wire/codes.ts";
import type { Endpoint, FilePart, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { signingHeaders, stringToSign } from "@fava/wire/signing.ts";

export interface SentCall {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** Carries a call to a server and answers the HTTP status and the body. */
export type Send = (call: SentCall) => Promise<{ status: number; text: string }>;

/** Who calls, and where. Without a token the call is signed with the public key. */
export interface Caller {
  /** Address of a server such as `http://127.0.0.1:3000`, or a way of one's own, such as `injectedInto(app)`. */
  target: string | Send;
  token?: string;
  /** Bytes, or the base64url text of the login answer. */
  signKey?: Uint8Array | string;
  nowMs?: () => number;
}

export interface CallAnswer<Data> {
  /** Of HTTP. */
  status: number;
  /** Of the envelope. */
  code: Code;
  /** The output with code 200; otherwise the details of the refusal. */
  data: Data;
  msg?: string;
}

/** Makes one signed call as a browser would, and answers its envelope whatever the code. */
export async function signedCall<E extends Endpoint, Data = OutputOf<E>>(
  caller: Caller,
  endpoint: E,
  input: InputOf<E>,
): Promise<CallAnswer<Data>> {
  return send(caller, endpoint.path, formBytes(input as Record<string, unknown>));
}

/** The same with the file that the call carries. */
export async function signedUpload<E extends Endpoint & { file: FilePart }, Data = OutputOf<E>>(
  caller: Caller,
  endpoint: E,
  sent: { input: InputOf<E>; file: Uint8Array },
): Promise<CallAnswer<Data>> {
  const { input, file } = sent;
  return send(caller, endpoint.path, formBytes(input as Record<string, unknown>, { [endpoint.file.field]: file }));
}

/** A call as it would be sent, for tests that spoil it on its way. */
export function preparedCall(
  caller: Caller,
  endpoint: { path: string },
  fields: Readonly<Record<string, unknown>>,
): SentCall {
  return prepared(caller, endpoint.path, formBytes(fields));
}

function prepared(
  caller: Caller,
  path: string,
  { body, contentType }: { body: Buffer; contentType: string },
): SentCall {
  return { path, headers: { "content-type": contentType, ...signedHeaders(caller, path, body) }, body };
}

async function send<Data>(
  caller: Caller,
  path: string,
  form: { body: Buffer; contentType: string },
): Promise<CallAnswer<Data>> {
  const carry = typeof caller.target === "string" ? fetchedFrom(caller.target) : caller.target;
  const { status, text } = await carry(prepared(caller, path, form));
  return { status, ...(JSON.parse(text) as Omit<CallAnswer<Data>, "status">) };
}

/** The bytes of a multipart form as our client builds them: own boundary, undefined fields left out, files last. */
export function formBytes(
  fields: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, Uint8Array>> = {},
): { body: Buffer; contentType: string } {
  const boundary = `b${randomBytes(16).toString("hex")}`;
  const parts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    );
  const fileParts = Object.entries(files).flatMap(([name, bytes]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n`),
    Buffer.from("Content-Type: application/octet-stream\r\n\r\n"),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    body: Buffer.concat([Buffer.from(parts.join("")), ...fileParts, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The four headers of a signed call over exactly these bytes. */
export function signedHeaders(
  caller: Pick<Caller, "token" | "signKey" | "nowMs">,
  path: string,
  body: Uint8Array,
): Record<string, string> {
  const { token = "", signKey = "" } = caller;
  const key = token === "" ? publicKey : typeof signKey === "string" ? Buffer.from(signKey, "base64url") : signKey;
  const timestamp = String((caller.nowMs ?? Date.now)());
  const nonce = randomBytes(16).toString("hex");
  const bodySha256Hex = createHash("sha256").update(body).digest("hex");
  const text = stringToSign({ method: "POST", path, timestamp, nonce, token, bodySha256Hex });
  return {
    [signingHeaders.timestamp]: timestamp,
    [signingHeaders.nonce]: nonce,
    [signingHeaders.signature]: createHmac("sha256", key).update(text).digest("hex"),
    ...(token === "" ? {} : { [signingHeaders.token]: token }),
  };
}

/** Sends into an application that does not listen. */
export function injectedInto(app: FastifyInstance): Send {
  return async ({ path, headers, body }) => {
    const answer = await app.inject({ method: "POST", url: path, headers, payload: body });
    return { status: answer.statusCode, text: answer.body };
  };
}

const publicKey = Buffer.from("fava-web");

function fetchedFrom(baseUrl: string): Send {
  return async ({ path, headers, body }) => {
    const answer = await fetch(`${baseUrl}${path}`, { method: "POST", headers, body: new Uint8Array(body) });
    return { status: answer.status, text: await answer.text() };
  };
}
