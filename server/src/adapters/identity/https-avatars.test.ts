import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { HttpsAvatars } from "./https-avatars.ts";

const hosts = ["localhost"];
const source = new HttpsAvatars({ insecureLoopback: true });
let picture: Buffer;
let base: string;
let elsewhere: string;
let requests: string[] = [];

beforeAll(async () => {
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#34d17f" } })
    .png()
    .toBuffer();
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    if (request.url === "/picture") return response.end(picture);
    if (request.url === "/page") return response.end("<html><script>alert(1)</script></html>");
    if (request.url === "/drawing") return response.end(`<svg xmlns="http://www.w3.org/2000/svg"/>`);
    if (request.url === "/near") return response.writeHead(302, { location: "/picture" }).end();
    if (request.url === "/far") return response.writeHead(302, { location: `${elsewhere}/picture` }).end();
    if (request.url === "/circle") return response.writeHead(302, { location: "/circle" }).end();
    if (request.url === "/declared") return response.writeHead(200, { "content-length": "1048577" }).end(picture);
    if (request.url === "/huge") {
      response.write(picture);
      return response.end(Buffer.alloc(1_048_577));
    }
    return response.writeHead(404).end();
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  base = `http://localhost:${port}`;
  elsewhere = `http://127.0.0.1:${port}`;
  leftovers.push({
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
});

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "localhost", resolve));
}

test("fetches a picture from an allowed host", async () => {
  await expect(source.fetch(`${base}/picture`, hosts)).resolves.toEqual(picture);
});

test("sends no request to a host that is not allowed", async () => {
  requests = [];
  await expect(source.fetch(`${elsewhere}/picture`, hosts)).resolves.toBeNull();
  await expect(source.fetch(`${base}/picture`, ["*.localhost", "ocalhost", "*.com"])).resolves.toBeNull();
  await expect(source.fetch(`http://localhost@127.0.0.1/picture`, hosts)).resolves.toBeNull();
  expect(requests).toEqual([]);
});

test("follows a limited number of redirects, only to allowed hosts", async () => {
  await expect(source.fetch(`${base}/near`, hosts)).resolves.toEqual(picture);
  await expect(source.fetch(`${base}/far`, hosts)).resolves.toBeNull();
  requests = [];
  await expect(source.fetch(`${base}/circle`, hosts)).resolves.toBeNull();
  expect(requests).toHaveLength(3);
});

test.each(["/declared", "/huge"])("rejects more than 1 MiB: %s", async (path) => {
  await expect(source.fetch(base + path, hosts)).resolves.toBeNull();
});

test.each(["/page", "/drawing", "/missing"])("rejects bytes that are no picture: %s", async (path) => {
  await expect(source.fetch(base + path, hosts)).resolves.toBeNull();
});

test.each(["", "nonsense", "file:///etc/passwd", "data:image/png;base64,AAAA", "/relative"])(
  "rejects an invalid address: %s",
  async (url) => {
    await expect(source.fetch(url, ["", "etc"])).resolves.toBeNull();
  },
);

test("by default fetches only over https from public addresses, whatever hosts are allowed", async () => {
  const strict = new HttpsAvatars();
  requests = [];
  await expect(strict.fetch(`${base}/picture`, hosts)).resolves.toBeNull();
  const { port } = new URL(base);
  for (const host of ["localhost", "127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]"]) {
    const bare = new URL(`https://${host}`).hostname;
    await expect(strict.fetch(`https://${host}/picture`, [bare])).resolves.toBeNull();
    await expect(strict.fetch(`https://${host}:${port}/picture`, [bare])).resolves.toBeNull();
  }
  expect(requests).toEqual([]);
});
