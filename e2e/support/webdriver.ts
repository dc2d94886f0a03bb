import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { stopChild } from "./product.ts";

/** From Debian's packages `webkit2gtk-driver`, `libwebkit2gtk-4.1-0` and `xvfb`. */
const driverPath = "/usr/bin/WebKitWebDriver";
const browserPath = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const displayPath = "/usr/bin/Xvfb";

/** Whether WebKitGTK, its driver and a display are installed. */
export const webkitIsInstalled = [driverPath, browserPath, displayPath].every(existsSync);

const startWithinMs = 15_000;
const commandMsMax = 30_000;
/** How long to wait for an element, and for an element that covers it to go. */
const foundWithinMs = 15_000;
const retryMs = 50;
/** The name of an element's reference in JSON (source: WebDriver, section 12.2). */
const reference = "element-6066-11e4-a52e-4f735466cecf";
/** Private code points of keys (source: WebDriver, section 17.4.2). */
export const keys = { enter: "\uE007", escape: "\uE00C", arrowUp: "\uE013" } as const;

/** Elements with a CSS selector and, if given, an accessible name; the first that is shown is used. */
export interface Target {
  css: string;
  name?: RegExp;
  within?: Target;
}

export interface WebkitOptions {
  dark?: boolean;
  /** Gives the browser a made-up camera and microphone, which every page may open. */
  hasDevices?: boolean;
}

/** A virtual X display; WebKitGTK has no headless mode. */
export async function startDisplay(): Promise<AsyncDisposable & { readonly name: string }> {
  const child = spawn(displayPath, ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error("Xvfb stopped while starting")));
    child.stdio[3]?.once("data", (line: Buffer) => resolve(line.toString().trim()));
  });
  return { name: `:${number}`, [Symbol.asyncDispose]: () => stopChild(child) };
}

/** A window of WebKitGTK's MiniBrowser, with a profile of its own, driven by W3C WebDriver over HTTP. */
export class WebkitBrowser implements AsyncDisposable {
  readonly #driver: ChildProcess;
  readonly #profile: string;
  readonly #session: string;
  /** The window that the session began with. */
  readonly #firstWindow: string;
  #toolbarPx: number | null = null;

  private constructor(parts: { driver: ChildProcess; profile: string; session: string; firstWindow: string }) {
    this.#driver = parts.driver;
    this.#profile = parts.profile;
    this.#session = parts.session;
    this.#firstWindow = parts.firstWindow;
  }

  static async start(display: string, options: WebkitOptions = {}): Promise<WebkitBrowser> {
    const { dark = false, hasDevices = false } = options;
    const profile = await mkdtemp(join(tmpdir(), "fava-webkit-"));
    await mkdir(join(profile, "gtk-3.0"));
    // WebKitGTK then matches `prefers-reduced-motion: reduce`.
    await writeFile(join(profile, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
    const port = await freePort();
    const driver = spawn(driverPath, [`--port=${port}`], {
      stdio: "ignore",
      // In a process group of its own.
      detached: true,
      env: {
        PATH: process.env["PATH"],
        HOME: profile,
        XDG_CONFIG_HOME: profile,
        DISPLAY: display,
        LC_ALL: "en_US.UTF-8",
      },
    });
    const args = [
      "--automation",
      ...(dark ? ["--dark-mode"] : []),
      ...(hasDevices ? ["--enable-mock-capture-devices=1"] : []),
    ];
    const address = `http://127.0.0.1:${port}/session`;
    try {
      await untilListening(`http://127.0.0.1:${port}/status`);
      const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary: browserPath, args } } };
      const { sessionId } = await command<{ sessionId: string }>("POST", address, { capabilities });
      const session = `${address}/${sessionId}`;
      const firstWindow = await command<string>("GET", `${session}/window`);
      return new WebkitBrowser({ driver, profile, session, firstWindow });
    } catch (error) {
      await stopGroup(driver);
      await rm(profile, { recursive: true, force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopGroup(this.#driver);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async open(address: string): Promise<void> {
    await this.#post("url", { url: address });
  }

  async reload(): Promise<void> {
    await this.#post("refresh");
  }

  /** Gives the page this size in CSS pixels. MiniBrowser's toolbar keeps the window 447 px wide at least. */
  async resize(width: number, height: number): Promise<void> {
    const isSized = ([x, y]: readonly [number, number]) => (x === width && y === height) || null;
    this.#toolbarPx ??= await until("the first size", () => this.#measureToolbar());
    await this.#post("window/rect", { width, height: height + this.#toolbarPx });
    // The page gets its size a moment after the response.
    await until(`${width} x ${height}`, async () => isSized(await this.#size()));
  }

  /** Runs a function in the page, without its surroundings, and resolves to what it returns or resolves to. */
  run<Args extends unknown[], Result>(work: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>> {
    return this.#script(`return (${String(work)})(...arguments)`, args);
  }

  /** Evaluates an expression in the page. */
  evaluate<Result>(expression: string): Promise<Result> {
    return this.#script(`return ${expression}`, []);
  }

  /** Waits until an element is shown, and resolves to its text. */
  async textOf(target: Target): Promise<string> {
    await this.#find(target);
    return (await this.#shown(target))[0]?.text ?? "";
  }

  /** The texts of all elements that are shown now. */
  async textsOf(target: Target): Promise<string[]> {
    return (await this.#shown(target)).map(({ text }) => text);
  }

  async click(target: Target): Promise<void> {
    await this.#act(target, "click", {});
  }

  /** Types into an element; the text may contain `keys`. */
  async type(target: Target, text: string): Promise<void> {
    await this.#act(target, "value", { text });
  }

  /** Chooses the file at a path in the last file input, which is invisible. */
  async chooseFile(path: string): Promise<void> {
    const inputs = { using: "css selector", value: "input[type=file]" };
    const input = (await this.#post<Record<string, string>[]>("elements", inputs)).at(-1);
    await this.#post(`element/${input?.[reference]}/value`, { text: path });
  }

  /** Presses one key, wherever the focus is. */
  async press(key: string): Promise<void> {
    const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: key }));
    await this.#post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  /** Chooses an option of a select by its value. */
  async choose(target: Target, value: string): Promise<void> {
    const select = await this.#find(target);
    const option = { using: "css selector", value: `option[value="${value}"]` };
    const found = await this.#post<Record<string, string>>(`element/${select}/element`, option);
    await this.#post(`element/${found[reference]}/click`);
  }

  /** Waits for a window that the page opens, and continues in it. */
  async toOpened(): Promise<void> {
    const [opened = ""] = await this.#windows(2);
    await this.#post("window", { handle: opened });
  }

  /** Waits until the other windows are closed, and continues in the first one. */
  async toFirst(): Promise<void> {
    await this.#windows(1);
    await this.#post("window", { handle: this.#firstWindow });
  }

  /** Closes the opened window, and continues in the first one. */
  async closeOpened(): Promise<void> {
    await command("DELETE", `${this.#session}/window`);
    await this.toFirst();
  }

  /** What the window shows, as PNG. */
  async picture(): Promise<Buffer> {
    return Buffer.from(await command<string>("GET", `${this.#session}/screenshot`), "base64");
  }

  #size(): Promise<readonly [number, number]> {
    return this.run(() => [innerWidth, innerHeight] as const);
  }

  /** Height of the browser's own bar above the page; null while the window still gets its first size. */
  async #measureToolbar(): Promise<number | null> {
    const rect = await command<{ width: number; height: number }>("GET", `${this.#session}/window/rect`);
    const [width, height] = await this.#size();
    return width === rect.width && height > 0 ? rect.height - height : null;
  }

  /** Waits for this number of windows; the first window comes last. */
  async #windows(count: number): Promise<string[]> {
    return until(`${count} windows`, async () => {
      const all = await command<string[]>("GET", `${this.#session}/window/handles`);
      if (all.length !== count) return null;
      return [...all.filter((one) => one !== this.#firstWindow), this.#firstWindow];
    });
  }

  async #find(target: Target): Promise<string> {
    return until(said(target), async () => (await this.#shown(target))[0]?.element[reference] ?? null);
  }

  #shown(target: Target) {
    const steps: Step[] = [];
    for (let step: Target | undefined = target; step; step = step.within)
      steps.unshift({ css: step.css, name: step.name ? [step.name.source, step.name.flags] : null });
    return this.run(shownInPage, steps) as unknown as Promise<{ element: Record<string, string>; text: string }[]>;
  }

  /** Repeats a command until the element is still there and not covered, for example by a closing dialog. */
  async #act(target: Target, what: "click" | "value", body: object): Promise<void> {
    await until(`${said(target)} to ${what}`, async () => {
      const element = await this.#find(target);
      try {
        // The driver presses at a position, from which the element may have moved meanwhile.
        await this.run(untilSteady, { [reference]: element } as unknown as Element);
        await this.#post(`element/${element}/${what}`, body);
        return true;
      } catch (error) {
        if (error instanceof WebdriverError && passing.has(error.code)) return null;
        throw error;
      }
    });
  }

  #script<Result>(script: string, args: readonly unknown[]): Promise<Result> {
    return this.#post("execute/sync", { script, args });
  }

  #post<Result>(path: string, body: object = {}): Promise<Result> {
    return command("POST", `${this.#session}/${path}`, body);
  }
}

/** Kills the driver and the browser's processes, which would outlive it. */
async function stopGroup(driver: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => driver.once("exit", resolve));
  if (driver.pid !== undefined && driver.exitCode === null && driver.signalCode === null) {
    process.kill(-driver.pid, "SIGKILL");
    await ended;
  }
}

type Step = { css: string; name: [source: string, flags: string] | null };

/** Errors of an element that is moving, covered or replaced at the moment. */
const passing: ReadonlySet<string> = new Set([
  "element click intercepted",
  "element not interactable",
  "stale element reference",
]);

class WebdriverError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Sends a command to the driver. @throws WebdriverError with the code of the standard */
async function command<Result>(method: string, address: string, body?: object): Promise<Result> {
  const signal = AbortSignal.timeout(commandMsMax);
  const answer = await fetch(address, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: Result | { error: string; message: string } };
  if (answer.ok) return value as Result;
  const { error, message } = value as { error: string; message: string };
  throw new WebdriverError(error, message);
}

async function untilListening(address: string): Promise<void> {
  const isReady = () =>
    fetch(address).then(
      ({ ok }) => ok || null,
      () => null,
    );
  await until("the driver", isReady, startWithinMs);
}

/** Repeats a look until it finds something. @throws Error after the time */
async function until<Found>(what: string, look: () => Promise<Found | null>, withinMs = foundWithinMs): Promise<Found> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > endMs) throw new Error(`waited ${withinMs} ms for ${what}`);
    await pause(retryMs);
  }
}

function said({ css, name, within }: Target): string {
  return `${css}${name ? ` named ${name}` : ""}${within ? ` in ${said(within)}` : ""}`;
}

/** Runs in the page: waits until an element stays in its place from one frame to the next. */
async function untilSteady(element: Element): Promise<void> {
  const placeNow = () => JSON.stringify(element.getBoundingClientRect());
  for (let place = placeNow(), before = ""; place !== before; place = placeNow()) {
    before = place;
    await new Promise(requestAnimationFrame);
  }
}

/** Runs in the page: the shown elements that users of a screen reader can reach, with their texts. */
function shownInPage(steps: readonly Step[]): { element: Element; text: string }[] {
  let places: ParentNode[] = [document];
  for (const { css, name } of steps) {
    const pattern = name ? new RegExp(...name) : null;
    const found = new Set(places.flatMap((place) => [...place.querySelectorAll(css)]));
    places = [...found].filter((one) => isReached(one) && (!pattern || pattern.test(nameOf(one))));
  }
  return (places as HTMLElement[]).map((element) => ({ element, text: element.innerText.replaceAll("\u00A0", " ") }));

  function isReached(element: Element): boolean {
    return element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden="true"]');
  }

  /** The accessible name, as far as our pages need it. */
  function nameOf(element: Element): string {
    const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
    const ofField = "labels" in element ? [...((element.labels ?? []) as Iterable<Element>)] : [];
    const texts = [...labels, ...ofField].map((label) => label?.textContent ?? "").join(" ");
    const name =
      element.getAttribute("aria-label") ?? (texts.trim() || (element.getAttribute("alt") ?? element.textContent));
    return name.replaceAll(/\s+/g, " ").trim();
  }
}
