import { expect, test } from "vitest";
import { responseSourceOf, filesOf } from "#lib/shell-rules.ts";

const origin = "https://fava.example";
const get = (path: string) => ({ method: "GET", mode: "cors", url: `${origin}${path}` });
const open = (path: string) => ({ method: "GET", mode: "navigate", url: `${origin}${path}` });

test("lets the worker answer for the home screen and for built files", () => {
  expect(responseSourceOf(open("/"), origin)).toBe("shell");
  expect(responseSourceOf(open("/?lang=ar"), origin)).toBe("shell");
  expect(responseSourceOf(get("/assets/app-a1b2.js"), origin)).toBe("file");
});

test.each([
  "/admin",
  "/admin/live",
  "/admin/figures",
  "/reportReview",
  "/reportReview/appeals",
  "/avatarAudit",
  "/photoReview",
  "/appeal?token=secret",
  "/chargeReturn",
  "/sandbox/pay/1",
  "/media/photo.webp",
  "/privacyPolicy",
])("leaves the page %s to the browser", (path) => {
  expect(responseSourceOf(open(path), origin)).toBe("network");
});

test.each([
  get("/api/country/get-language"),
  { ...get("/api/video/match/start"), method: "POST" },
  { ...get("/assets/app-a1b2.js"), method: "POST" },
  get("/ws"),
  get("/media/photo.webp"),
  get("/gateway/pay"),
  get("/flags/TR.svg"),
  { ...get("/"), method: "HEAD" },
  { ...open("/"), url: "https://elsewhere.example/" },
  { ...get("/"), url: "https://elsewhere.example/assets/app-a1b2.js" },
])("leaves $method $url to the browser", (request) => {
  expect(responseSourceOf(request, origin)).toBe("network");
});

test("lists the files that the HTML of a page names, each once", () => {
  const html = `
    <script src="/assets/early-1.js"></script>
    <link rel="icon" href="/icon.svg" />
    <link rel="modulepreload" crossorigin href="/assets/en-2.js" />
    <script type="module" crossorigin src="/assets/index-3.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/en-2.js">
    <link rel="alternate" href="https://elsewhere.example/assets/x.js" />
    <a href="/aboutUs">`;
  expect(filesOf(html)).toEqual(["/assets/early-1.js", "/assets/en-2.js", "/assets/index-3.js"]);
});
