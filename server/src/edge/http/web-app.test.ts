import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openEdge } from "#test/fixtures/edge.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import type { HttpOptions } from "./build-http.ts";

/** A page as the build writes it (`web/vite/page-html.ts`). */
const written = (language: string, path: string) =>
  `<!doctype html><html lang="${language}"><script>early()</script><style>a{b:c}</style><link rel="canonical" href="{origin}${path}" /><!--alternates--><meta name="app-key" content="fava-web" /><div id="root">${language} of {company}, {address}${[1, 2, 3].map((type) => `<button class="a" data-login-type="${type}"><i>in</i></button>`).join("")}</div>`;

async function openWebApp(appKey = "fava-web", options: Partial<HttpOptions> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "fava-web-"));
  leftovers.push({ [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) });
  await mkdir(join(directory, "assets"));
  await mkdir(join(directory, ".vite"));
  await writeFile(
    join(directory, "index.html"),
    '<!doctype html><meta name="offered-languages" content="{languages}" /><meta name="login-types" content="{login-types}" /><meta name="translator" content="{translator}" /><meta name="app-key" content="fava-web" /><div id="root"></div>',
  );
  await writeFile(join(directory, "assets", "main-a1b2.js"), "plain");
  await writeFile(join(directory, "assets", "main-a1b2.js.br"), "packed");
  await writeFile(join(directory, "icon.svg"), "<svg/>");
  await writeFile(join(directory, "sw.js"), "self");
  await writeFile(join(directory, "sw.js.br"), "packed");
  await mkdir(join(directory, "manifest"));
  await writeFile(join(directory, "manifest", "en.webmanifest"), "{}");
  for (const language of ["en", "ar", "tr"]) {
    await mkdir(join(directory, "pages", language), { recursive: true });
    await writeFile(join(directory, "pages", language, "index.html"), written(language, "/"));
  }
  await writeFile(join(directory, "pages", "en", "safety.html"), written("en", "/safety"));
  await writeFile(join(directory, ".vite", "manifest.json"), "{}");
  const edge = await openEdge({}, { webDirectory: directory, appKey, ...options });
  return (url: string, headers: Record<string, string> = {}) =>
    edge.app.inject({ url, headers: { accept: "text/html,*/*", ...headers } });
}

const pages = [
  "/",
  "/chargeReturn",
  "/admin",
  "/admin/live",
  "/admin/figures",
  "/avatarAudit",
  "/photoReview",
  "/reportReview",
  "/privacyPolicy",
  "/userAgreement",
  "/safety",
  "/accessibility",
  "/communityRules",
  "/aboutUs",
  "/safety",
  "/transparency",
  "/notice",
  "/accessibility",
  "/appeal",
  "/404",
];

test("lets a page run only the scripts of the build", async () => {
  const get = await openWebApp();
  const policy = String((await get("/")).headers["content-security-policy"]);
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(policy.split("; ")).toContain(`script-src 'self' ${hash("early()")}`);
  expect(policy.split("; ")).toContain(`style-src 'self' ${hash("a{b:c}")}`);
  const plain = String((await get("/admin")).headers["content-security-policy"]);
  expect(plain.split("; ")).toEqual(expect.arrayContaining(["script-src 'self'", "style-src 'self'"]));
  const hostile = await get("/", { host: "x<script>evil()</script>" });
  expect(String(hostile.headers["content-security-policy"])).not.toContain(hash("evil()"));
});

test("serves the app for each page, which caches must revalidate", async () => {
  const get = await openWebApp();
  for (const path of pages) {
    const answer = await get(`${path}?order=1`);
    expect([path, answer.statusCode, answer.headers["cache-control"]]).toEqual([path, 200, "no-cache"]);
    expect(answer.body).toContain('id="root"');
  }
});

test("lists the offered languages in a page, so that the browser chooses before the first paint", async () => {
  const get = await openWebApp("fava-web", { languages: ["de", "en", "ur"] });
  expect((await get("/admin")).body).toContain('<meta name="offered-languages" content="de en ur" />');
});

test("names the operator's translator in a page", async () => {
  const get = await openWebApp("fava-web", { translator: 'Our "own" $& one' });
  expect((await get("/admin")).body).toContain('<meta name="translator" content="Our &quot;own&quot; $&amp; one" />');
});

test("lists the identity providers in a page", async () => {
  const get = await openWebApp("fava-web", { loginTypes: [1, 3] });
  expect((await get("/admin")).body).toContain('<meta name="login-types" content="1 3" />');
  const home = (await get("/")).body;
  expect([1, 2, 3].map((type) => home.includes(`data-login-type="${type}"`))).toEqual([true, false, true]);
});

test("treats an address with a slash at the end as the same page", async () => {
  const get = await openWebApp();
  for (const [asked, is] of [
    ["/privacyPolicy/", "/privacyPolicy"],
    ["/safety//?lang=ar", "/safety?lang=ar"],
    ["/reportReview/appeals/", "/reportReview/appeals"],
  ]) {
    const answer = await get(asked ?? "");
    expect([answer.statusCode, answer.headers["location"]]).toEqual([301, is]);
  }
  for (const path of ["//", "//evil.test/", "/nothing/"]) {
    const answer = await get(path);
    expect([path, answer.statusCode, answer.headers["location"]]).toEqual([path, 404, undefined]);
  }
});

test("serves the app with HTTP 404 for an unknown page, without caching", async () => {
  const get = await openWebApp();
  for (const path of ["/nothing", "/privacyPolicy/more", "/%2e%2e/%2e%2e/etc/passwd"]) {
    const answer = await get(path);
    expect([path, answer.statusCode]).toEqual([path, 404]);
    expect(answer.body).toContain('id="root"');
  }
});

test("serves no page for a missing file", async () => {
  const get = await openWebApp();
  for (const path of [
    "/assets/old-ffff.js",
    "/index.html",
    "/pages/en/index.html",
    "/.vite/manifest.json",
    "/assets/main-a1b2.js.br",
  ]) {
    const answer = await get(path);
    expect([path, answer.statusCode]).toEqual([path, 404]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  }
});

test("lets browsers cache hashed files forever and others for an hour, and compresses them", async () => {
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

test("serves the service worker without caching, and the manifest with its own type", async () => {
  const get = await openWebApp();
  const worker = await get("/sw.js");
  expect(worker.headers["cache-control"]).toBe("no-cache");
  const packed = await get("/sw.js", { "accept-encoding": "gzip, br" });
  expect([packed.body, packed.headers["cache-control"]]).toEqual(["packed", "no-cache"]);
  expect(String(worker.headers["content-security-policy"])).toMatch(/script-src 'self'/);
  expect((await get("/manifest/en.webmanifest")).headers["content-type"]).toMatch(/^application\/manifest\+json/);
});

test("compresses the page as the browser accepts it", async () => {
  const get = await openWebApp();
  expect(brotliDecompressSync((await get("/", { "accept-encoding": "gzip, br" })).rawPayload).toString()).toContain(
    "root",
  );
  expect(gunzipSync((await get("/", { "accept-encoding": "gzip" })).rawPayload).toString()).toContain("root");
});

test("has the public key of this installation in the page", async () => {
  const get = await openWebApp('key "of" <ours> $&');
  expect((await get("/")).body).toContain('<meta name="app-key" content="key &quot;of&quot; &lt;ours> $&amp;" />');
});

test("explains that the web app is not built", async () => {
  const edge = await openEdge();
  const answer = await edge.app.inject("/");
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain("not built");
});

test("serves a page in the offered language of its address, otherwise of the browser", async () => {
  const get = await openWebApp();
  const language = async (url: string, accepted?: string) => {
    const answer = await get(url, accepted === undefined ? {} : { "accept-language": accepted });
    expect(answer.headers.vary).toContain("accept-language");
    expect(answer.headers["content-language"]).toBe(/<html lang="([^"]+)"/.exec(answer.body)?.[1]);
    return answer.headers["content-language"];
  };
  expect(await language("/")).toBe("en");
  expect(await language("/", "ar-EG,ar;q=0.9,en;q=0.8")).toBe("ar");
  expect(await language("/", "de-DE,de;q=0.9")).toBe("en");
  expect(await language("/?lang=ar", "en")).toBe("ar");
  expect(await language("/?order=1&lang=ar")).toBe("ar");
  // Built, but not offered here; and an invalid language.
  expect(await language("/?lang=tr", "tr")).toBe("en");
  expect(await language("/?lang=../../etc", "ar")).toBe("ar");
  expect(await language("/?lang=ar&lang=en", "en")).toBe("en");
  // The page exists in English only.
  expect(await language("/safety?lang=ar")).toBe("en");
});

test("names the address of a page and of every language under the public origin", async () => {
  const get = await openWebApp("fava-web", { publicOrigin: "https://fava.test" });
  const { body } = await get("/?lang=ar");
  expect(body).toContain('<link rel="canonical" href="https://fava.test/" />');
  expect([...body.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, tag, address]) => [tag, address])).toEqual([
    ["en", "https://fava.test/"],
    ["ar", "https://fava.test/?lang=ar"],
    ["x-default", "https://fava.test/"],
  ]);
  expect((await get("/safety")).body).not.toContain("?lang=ar");
});

test("uses the origin of the request without a public origin, and caches none", async () => {
  const get = await openWebApp();
  expect((await get("/", { host: "one.test" })).body).toContain('href="http://one.test/?lang=ar"');
  const other = await get("/", { host: "other.test" });
  expect(other.body).toContain('href="http://other.test/"');
  expect(other.body).not.toContain("one.test");
  expect((await get("/", { host: 'x"><b>.test' })).body).not.toContain("<b>");
});

test("has the operator's details in the page", async () => {
  const get = await openWebApp("fava-web", { operator: { company: "A & <B>", email: "e", address: "1 Street\nTown" } });
  expect((await get("/")).body).toContain("en of A &amp; &lt;B>, 1 Street, Town");
});

test("lists every page in every language in the site map, with its alternatives", async () => {
  const get = await openWebApp("fava-web", { publicOrigin: "https://fava.test" });
  const answer = await get("/sitemap.xml");
  expect(answer.headers["content-type"]).toBe("application/xml; charset=utf-8");
  const places = [...answer.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place);
  expect(places).toEqual(["https://fava.test/", "https://fava.test/?lang=ar", "https://fava.test/safety"]);
  expect(answer.body.match(/hreflang="ar" href="https:\/\/fava\.test\/\?lang=ar"/g)).toHaveLength(2);
});

test("lets robots read pages but not the API, and names the site map", async () => {
  const get = await openWebApp("fava-web", { publicOrigin: "https://fava.test" });
  const { body, headers } = await get("/robots.txt");
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body).toBe("User-agent: *\nDisallow: /api/\nDisallow: /sandbox/\nSitemap: https://fava.test/sitemap.xml\n");
});

test("lets search engines index all pages except those of a user and missing ones", async () => {
  const get = await openWebApp();
  for (const path of ["/admin", "/appeal", "/chargeReturn", "/reportReview", "/404", "/nothing"])
    expect([path, (await get(path)).headers["x-robots-tag"]]).toEqual([path, "noindex"]);
  for (const path of ["/", "/safety"])
    expect([path, (await get(path)).headers["x-robots-tag"]]).toEqual([path, undefined]);
});
