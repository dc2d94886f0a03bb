#!/usr/bin/env node
// Starts the Firefox of FIREFOX_PATH for Playwright's channel `moz-firefox`, and proxies its WebDriver BiDi socket.
// Playwright supports only the newest Firefox: the proxy responds to the commands that Firefox ESR does not know.
import { spawn } from "node:child_process";
import { WebSocket, WebSocketServer } from "ws";

/** Without a response to this command, Playwright opens no page. Preferences set the media features instead. */
const unknownCommands = new Set(["emulation.setMediaFeaturesOverride"]);
const messageBytesMax = 1 << 28;

const firefox = spawn(process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr", process.argv.slice(2), {
  stdio: ["ignore", "inherit", "pipe"],
});
firefox.once("exit", (code) => process.exit(code ?? 1));
firefox.once("error", ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, () => firefox.kill(signal));
process.once("exit", () => firefox.kill("SIGKILL"));

let startLog = "";
let isListening = false;
firefox.stderr.setEncoding("utf8").on("data", (text) => {
  if (isListening) return process.stderr.write(text);
  startLog += text;
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(startLog)?.[1];
  if (!address) return;
  isListening = true;
  listen(address);
});

/** Prints the line that Playwright waits for, with the address of the proxy. */
function listen(address) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, maxPayload: messageBytesMax });
  server.once("listening", () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
  server.on("connection", (playwright, { url }) => proxy(playwright, `${address}${url}`));
}

function proxy(playwright, address) {
  const browser = new WebSocket(address, { perMessageDeflate: false, maxPayload: messageBytesMax });
  const opened = new Promise((resolve) => browser.once("open", resolve));
  playwright.on("message", async (data) => {
    const command = textOf(data);
    const { id, method } = JSON.parse(command);
    if (unknownCommands.has(method)) return playwright.send(JSON.stringify({ type: "success", id, result: {} }));
    await opened;
    browser.send(command);
  });
  browser.on("message", (data) => playwright.send(textOf(data)));
  browser.once("close", () => playwright.close());
  // A killed test leaves no browser behind.
  playwright.once("close", () => firefox.kill("SIGTERM"));
  // A close follows each error.
  for (const socket of [playwright, browser]) socket.on("error", () => undefined);
}

/** With the default `binaryType`, `ws` gives each message as one buffer. */
function textOf(/** @type {any} */ data) {
  return Buffer.from(data).toString();
}
