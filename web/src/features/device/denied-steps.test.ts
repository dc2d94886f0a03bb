import { expect, test } from "vitest";
import { browserOf, stepsFor } from "./DeniedSteps.tsx";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const chromium = `${webKit} Chrome/142.0.0.0`;
const android = "Mozilla/5.0 (Linux; Android 10; K)";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) {} Mobile/15E148 Safari/604.1";

test.each([
  ["computer", "Chrome", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36`],
  ["computer", "Chrome", `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chromium/142.0 Safari/537.36`],
  ["computer", "Edge", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Safari/537.36 Edg/142.0.0.0`],
  ["computer", "Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"],
  [
    "computer",
    "Safari",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  ["computer", "Chrome", "something else"],
  ["android", "Chrome", `${android} ${chromium} Mobile Safari/537.36`],
  ["android", "Samsung Internet", `${android} ${webKit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ["android", "Edge", `${android} ${chromium} Mobile Safari/537.36 EdgA/142.0.0.0`],
  ["android", "Firefox", "Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0"],
  ["iphone", "Safari", iphone.replace("{}", "Version/18.5")],
  ["iphone", "Chrome", iphone.replace("{}", "CriOS/142.0.0.0")],
  ["iphone", "Edge", iphone.replace("{}", "EdgiOS/142.0.0.0 Version/18.0")],
  ["iphone", "Firefox", iphone.replace("{}", "FxiOS/144.0")],
])("recognizes on %s the browser %s in %s", (device, browser, userAgent) => {
  expect(browserOf(userAgent)).toEqual({ device, browser });
});

test.each([
  ["computer", "Chrome", ["denied.icon", "denied.turnOn"]],
  ["computer", "Safari", ["denied.menu", "denied.allow"]],
  ["computer", "Firefox", ["denied.crossed", "denied.unblock"]],
  ["android", "Samsung Internet", ["denied.icon", "denied.permissions", "denied.turnOn"]],
  ["android", "Firefox", ["denied.icon", "denied.turnOn"]],
  ["iphone", "Safari", ["denied.icon", "denied.website", "denied.allow"]],
  ["iphone", "Chrome", ["denied.settings", "denied.turnOn"]],
] as const)("lists on %s the steps of %s", (device, browser, texts) => {
  expect(stepsFor(device, browser).texts).toEqual(texts);
});
