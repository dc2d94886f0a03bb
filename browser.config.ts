import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Program and arguments of a browser in tests. */
interface LaunchOptions {
  executablePath: string;
  args: string[];
}

/**
 * Features of Chromium that are disabled: those that Playwright disables and some more. Chromium uses only the last such
 * list, so this one repeats Playwright's.
 */
const disabledFeatures = [
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
  // The address bar would load two pages in every browser.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

const args = [
  "--no-sandbox",
  // A page lives for seconds: optimizing compilers, early collections and flushed bytecode cost more than they save.
  "--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16 --initial-heap-size=256 --no-flush-bytecode",
  "--disable-gpu",
  // Without a graphics card, a GPU process of its own only adds messages between processes.
  "--in-process-gpu",
  "--no-first-run",
  // For pages without a size of their own.
  "--window-size=1440,900",
  "--mute-audio",
  // Few frames, because the processor encodes and decodes them.
  "--use-fake-device-for-media-stream=fps=10",
  "--autoplay-policy=no-user-gesture-required",
  "--allow-loopback-in-peer-connection",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-background-timer-throttling",
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
  `--disable-features=${disabledFeatures.join()}`,
];

/** Debian's Chromium or the one of CHROMIUM_PATH, for tests of permissions, which only a window asks for. */
export const chromium: LaunchOptions = { executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium", args };

const headlessShellPath = "/usr/bin/chromium-headless-shell";

/**
 * Debian's headless shell: the same engine without windows, tabs and address bar, and faster. It grants every page its
 * fake camera. Falls back to Chromium.
 */
export const headlessShell: LaunchOptions = {
  executablePath: existsSync(headlessShellPath) ? headlessShellPath : chromium.executablePath,
  args: [...args, "--use-fake-ui-for-media-stream"],
};

const firefoxPath = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr";

/** Whether Firefox is installed; `npm test` installs it on Debian. */
export const firefoxIsInstalled = existsSync(firefoxPath);

/** Debian's Firefox ESR, or the one of FIREFOX_PATH: options of a Playwright project. */
export const firefox = {
  browserName: "firefox",
  channel: "moz-firefox",
  launchOptions: {
    executablePath: fileURLToPath(new URL("e2e/support/firefox-bidi.mjs", import.meta.url)),
    args: [] as string[],
    firefoxUserPrefs: {
      "media.navigator.streams.fake": true,
      // Playwright has no permissions of camera and microphone in Firefox.
      "media.navigator.permission.disabled": true,
      "media.peerconnection.ice.loopback": true,
      "media.volume_scale": "0.0",
      "ui.prefersReducedMotion": 1,
      // Processes in reserve would take memory and processor time from the calls.
      "dom.ipc.processPrelaunch.enabled": false,
      // Twice as many frames as the videos have.
      "layout.frame_rate": 10,
      // Without a network, each start would log errors.
      "services.settings.server": "data:,#remote-settings-dummy/v1",
    },
  },
} as const;
