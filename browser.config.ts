/** Debian's Chromium, or another one that is named. */
export const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

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
] as const;
