import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { endpoints } from "@fava/wire/endpoints.ts";
import { imageBytesMax } from "@fava/wire/limits.ts";
import { type Edge, openEdge } from "#test/fixtures/edge.ts";
import { signedHeaders } from "#test/fixtures/signed-call.ts";

const pieceBytes = 65_536;

let edge: Edge;
let port: number;
beforeEach(async () => {
  edge = await openEdge();
  port = Number(new URL(await edge.app.listen({ host: "127.0.0.1", port: 0 })).port);
});

interface Sending {
  token?: string;
  path: string;
  bytes: number;
  isDeclared: boolean;
  connection: "keep-alive" | "close";
}

/** Sends all of a request before reading, as many clients do, and returns what can be read then. */
async function sendThenRead({ token = "tok_ana", path, bytes, isDeclared, connection }: Sending): Promise<string> {
  const headers = {
    host: "localhost",
    connection,
    "content-type": "multipart/form-data; boundary=b",
    ...(isDeclared ? { "content-length": String(bytes) } : { "transfer-encoding": "chunked" }),
    ...signedHeaders({ ...edge.ana, token }, path, Buffer.from(`${isDeclared} ${connection}`)),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const piece = Buffer.alloc(pieceBytes, "x");
  const framed = Buffer.concat([Buffer.from(`${pieceBytes.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);
  const socket = connect(port, "127.0.0.1");
  // Later writes report the error as well.
  socket.on("error", () => undefined);
  try {
    await write(socket, `POST ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
    for (let sent = 0; sent < bytes; sent += pieceBytes) await write(socket, isDeclared ? piece : framed);
    if (!isDeclared) await write(socket, "0\r\n\r\n");
    return String((await once(socket, "data"))[0]);
  } finally {
    socket.destroy();
  }
}

function write(socket: Socket, piece: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

const ways = [
  ["declared", "keep-alive"],
  ["declared", "close"],
  ["streamed", "keep-alive"],
  ["streamed", "close"],
] as const;

describe.each(["imageUpload", "videoInspect", "messageSend"] as const)("%s", (name) => {
  const { path } = endpoints[name];

  test.each(ways)("answers 413 for a body that is much too large, %s (%s)", async (how, connection) => {
    const answer = await sendThenRead({ path, bytes: 20 * 1_048_576, isDeclared: how === "declared", connection });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/\r\n\r\n\{"code":413,"data":null,"msg":"[^"]+"\}$/);
  });
});

test.each(ways)("answers an upload that is rejected before it is read, %s (%s)", async (how, connection) => {
  const { path } = endpoints.imageUpload;
  const sending = { path, bytes: imageBytesMax, isDeclared: how === "declared", connection };
  expect(await sendThenRead({ ...sending, token: "tok_of_nobody" })).toMatch(/\{"code":404,/);
});

test.each(["tok_ana", "tok_of_nobody"])("cuts an endless body off (%s)", async (token) => {
  const { path } = endpoints.imageUpload;
  const endless = { token, path, bytes: Number.MAX_SAFE_INTEGER, isDeclared: false, connection: "keep-alive" } as const;
  await expect(sendThenRead(endless)).rejects.toThrow(/EPIPE|ECONNRESET|ECANCELED|destroyed/);
});
