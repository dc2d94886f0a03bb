import { expect, test } from "vitest";
import { readUserAgent } from "./account-service.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const android = "Mozilla/5.0 (Linux; Android 10; K)";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test.each([
  [`${windows} ${chrome} Safari/537.36`, "Chrome", "Windows"],
  [`${windows} ${chrome} Safari/537.36 Edg/142.0.0.0`, "Edge", "Windows"],
  [`${windows} ${chrome} Safari/537.36 OPR/120.0.0.0`, "Opera", "Windows"],
  [`${android} ${chrome} Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `${android} AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
  [`${iphone} Version/18.1 Mobile/15E148 Safari/604.1`, "Safari", "iOS"],
  [`${iphone} CriOS/142.0 Mobile/15E148 Safari/604.1`, "Chrome", "iOS"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, "Chrome", "ChromeOS"],
  ["curl/8.5.0", "", ""],
  ["", "", ""],
])("reads %j as %s on %s", (userAgent, browser, system) => {
  expect(readUserAgent(userAgent)).toEqual({ browser, system });
});
