import { existsSync } from "node:fs";

/** Debian's Chromium, or another one that is named. */
export const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

const headlessShellPath = "/usr/bin/chromium-headless-shell";
/**
 * For what is only drawn and pressed: the same engine without windows, tabs and address bars around the page, which take
 * a quarter of the time. It has no camera. Chromium itself where it is missing.
 */
export const drawingBrowserPath = existsSync(headlessShellPath) ? headlessShellPath : chromiumPath;

/** What Playwright leaves out of Chromium: of two lists the browser takes the last, so that this is the whole of it. */
const leftOut = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  // Two pages of the address bar that nobody sees: half a second of a core for every browser of a test.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** How every test starts a browser: fake devices, and nothing that asks for the network. */
export const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--mute-audio",
  // Few frames: they are encoded and decoded without help of a graphics card.
  "--use-fake-device-for-media-stream=fps=10",
  "--autoplay-policy=no-user-gesture-required",
  "--allow-loopback-in-peer-connection",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-background-timer-throttling",
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
  `--disable-features=${leftOut.join()}`,
] as const;
