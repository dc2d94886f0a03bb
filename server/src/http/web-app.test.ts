import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openEdge } from "#testing/edge.ts";
import { leftovers } from "#testing/leftovers.ts";

async function openWebApp(appKey = "fava-web") {
  const directory = await mkdtemp(join(tmpdir(), "fava-web-"));
  leftovers.push({ [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) });
  await mkdir(join(directory, "assets"));
  await mkdir(join(directory, ".vite"));
  await writeFile(
    join(directory, "index.html"),
    '<!doctype html><meta name="app-key" content="fava-web" /><div id="root"></div>',
  );
  await writeFile(join(directory, "assets", "main-a1b2.js"), "plain");
  await writeFile(join(directory, "assets", "main-a1b2.js.br"), "packed");
  await writeFile(join(directory, "icon.svg"), "<svg/>");
  await writeFile(join(directory, ".vite", "manifest.json"), "{}");
  const edge = await openEdge({}, { webDirectory: directory, appKey });
  return (url: string, headers: Record<string, string> = {}) =>
    edge.app.inject({ url, headers: { accept: "text/html,*/*", ...headers } });
}

const pages = [
  "/",
  "/chargeReturn",
  "/admin",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/privacyPolicy",
  "/userAgreement",
  "/safety",
  "/accessibility",
  "/communityRules",
  "/aboutUs",
  "/404",
];

test("[GUARD-27] each page of the app is the app, never kept without asking", async () => {
  const get = await openWebApp();
  for (const path of pages) {
    const answer = await get(`${path}?order=1`);
    expect([path, answer.statusCode, answer.headers["cache-control"]]).toEqual([path, 200, "no-cache"]);
    expect(answer.body).toContain('id="root"');
  }
});

test("[GUARD-27] an unknown page is the app with HTTP 404, without being kept", async () => {
  const get = await openWebApp();
  for (const path of ["/nothing", "/privacyPolicy/more", "/%2e%2e/%2e%2e/etc/passwd"]) {
    const answer = await get(path);
    expect([path, answer.statusCode]).toEqual([path, 404]);
    expect(answer.body).toContain('id="root"');
  }
});

test("a missing file is not answered with a page", async () => {
  const get = await openWebApp();
  for (const path of ["/assets/old-ffff.js", "/index.html", "/.vite/manifest.json", "/assets/main-a1b2.js.br"]) {
    const answer = await get(path);
    expect([path, answer.statusCode]).toEqual([path, 404]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  }
});

test("hashed files are kept for good, others for an hour, packed where the browser takes it", async () => {
  const get = await openWebApp();
  const plain = await get("/assets/main-a1b2.js");
  expect(plain.body).toBe("plain");
  expect(plain.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const packed = await get("/assets/main-a1b2.js", { "accept-encoding": "gzip, br" });
  expect(packed.body).toBe("packed");
  expect(packed.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=utf-8",
  });
  expect(packed.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect((await get("/icon.svg")).headers["cache-control"]).toBe("public, max-age=3600");
});

test("the page is packed as the browser takes it", async () => {
  const get = await openWebApp();
  expect(brotliDecompressSync((await get("/", { "accept-encoding": "gzip, br" })).rawPayload).toString()).toContain(
    "root",
  );
  expect(gunzipSync((await get("/", { "accept-encoding": "gzip" })).rawPayload).toString()).toContain("root");
});

test("[SIGN-16] the page tells the browser the public key of this installation", async () => {
  const get = await openWebApp('key "of" <ours> $&');
  expect((await get("/")).body).toContain('<meta name="app-key" content="key &quot;of&quot; &lt;ours> $&amp;" />');
});

test("a web app that is not built is said so", async () => {
  const edge = await openEdge();
  const answer = await edge.app.inject("/");
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain("not built");
});
