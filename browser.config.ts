import { existsSync } from "node:fs";

/** How tests start a browser. */
interface LaunchOptions {
  executablePath: string;
  args: string[];
}

/**
 * What Playwright leaves out of Chromium, and what nobody sees of it here: of two lists the browser takes the last, so
 * that this is the whole of it.
 */
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
  // Two pages of the address bar: half a second of a core for every browser of a test.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

const args = [
  "--no-sandbox",
  // Pages that live for seconds: what compiles hot code anew, twice, never pays, nor what tidies a small heap up, and
  // forgets code that the next page has as well.
  "--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16 --initial-heap-size=256 --no-flush-bytecode",
  "--disable-gpu",
  // What draws the windows draws with the processor, too: as a process of its own it costs what the two tell each other.
  "--in-process-gpu",
  "--no-first-run",
  // Of pages to which no test gives a size.
  "--window-size=1440,900",
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
];

/** Debian's Chromium, or another one that is named: for what is about permissions, which only a window asks for. */
export const chromium: LaunchOptions = { executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium", args };

const headlessShellPath = "/usr/bin/chromium-headless-shell";

/**
 * Debian's headless shell: the same engine without windows, tabs and address bars around the page, which take a quarter
 * of the time. It lets every page have its fake camera. Chromium where it is missing.
 */
export const headlessShell: LaunchOptions = {
  executablePath: existsSync(headlessShellPath) ? headlessShellPath : chromium.executablePath,
  args: [...args, "--use-fake-ui-for-media-stream"],
};
