import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { request as sendTo } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type Browser, chromium as engine, expect, type Page } from "@playwright/test";
import { chromium } from "../../browser.config.ts";
import { test } from "../support/people.ts";
import { type Product, startProduct } from "../support/product.ts";
import { rowsOf } from "../support/product-database.ts";

/** A script that the policy forbids, and a picture of a foreign host. */
async function violate(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
    document.body.append(Object.assign(new Image(), { src: "https://pictures.example/a.png?who=ana" }));
  });
}

async function expectReports(product: Product, path: string): Promise<void> {
  const stored = () =>
    rowsOf(product, "select directive, blocked from csp_reports where path = $1 order by directive", [path]);
  await expect.poll(stored).toEqual([
    { directive: "img-src", blocked: "pictures.example" },
    { directive: "script-src-elem", blocked: "inline" },
  ]);
}

test("[GUARD-26] receives the report of a real browser by report-uri", async ({ visitor, product }) => {
  await violate(await visitor(), `${product.url}/aboutUs?who=ana`);
  await expectReports(product, "/aboutUs");
});

/** TLS in front of the product, as a proxy adds it, with a certificate of its own. */
async function openTls(product: Product, folder: string): Promise<string> {
  const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`];
  const key = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  execFileSync("openssl", [...key, "-addext", "subjectAltName=DNS:localhost", ...files], { stdio: "pipe" });
  const [certificate, secret] = [readFileSync(`${folder}/cert.pem`), readFileSync(`${folder}/key.pem`)];
  const proxy = createServer({ key: secret, cert: certificate }, (incoming, reply) => {
    const { method = "GET", headers, url } = incoming;
    const passed = sendTo(
      product.url + url,
      { method, headers: { ...headers, "x-forwarded-proto": "https" } },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    incoming.pipe(passed);
  });
  proxy.unref();
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return `https://localhost:${(proxy.address() as AddressInfo).port}`;
}

test("[GUARD-26] receives the report of a real browser by report-to @deep", async () => {
  const folder = test.info().outputPath();
  mkdirSync(folder, { recursive: true });
  await using product = await startProduct({ TRUST_PROXY: "127.0.0.1" });
  const url = await openTls(product, folder);
  // The headless shell has no Reporting API. By default Chromium gathers reports for a minute.
  const args = [...chromium.args, "--ignore-certificate-errors", "--short-reporting-delay"];
  const browser: Browser = await engine.launch({ ...chromium, args });
  try {
    await violate(await browser.newPage({ ignoreHTTPSErrors: true }), `${url}/aboutUs?who=ana`);
    await expectReports(product, "/aboutUs");
  } finally {
    await browser.close();
  }
});
