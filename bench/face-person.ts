import type { Browser, BrowserContextOptions, Locator, Page } from "@playwright/test";
import { callScreen } from "../e2e/support/people.ts";
import { beginSession, type Who } from "../e2e/support/session.ts";
import { words, wordsIn } from "../e2e/support/words.ts";
import { type FaceNotes, watchFace, watchLongTasks } from "./face-watch.ts";

const stepTimeoutMs = 30_000;
/** A search requests its first frame at once; the server has judged it by then. */
const inspectedMs = 2_500;

/** What a page runs on. */
export interface FaceDevice {
  readonly context: BrowserContextOptions;
  /** Called with each new page, before it loads anything. */
  prepare?(page: Page): Promise<void>;
  /** Presses a place of the page as its user does; without it by mouse. */
  readonly press?: (page: Page, place: { x: number; y: number }) => Promise<void>;
}

export const desktop: FaceDevice = { context: { viewport: { width: 1_000, height: 700 } } };

interface FoundButton {
  press: () => Promise<void>;
}

/** A person in a page who meets others in it: the product's page, or a bare one. */
export abstract class FaceMeeter {
  readonly page: Page;
  protected readonly device: FaceDevice;
  #clear: () => void = () => undefined;

  protected constructor(page: Page, device: FaceDevice) {
    this.page = page;
    this.device = device;
  }

  /** Searches while no one waits; resolves when the search has begun. */
  abstract wait(): Promise<void>;

  /** Ends the call, or the search that begins when the partner leaves. */
  abstract goHome(): Promise<void>;

  /** Has a frame inspected, so that a match in the next 15 s begins with clear video. At home before and after. */
  beInspected(): Promise<void> {
    return Promise.resolve();
  }

  /** Finds the button in advance, so that only the press itself is measured. */
  async findButton(kind: "start" | "next"): Promise<FoundButton> {
    const { page } = this;
    const button = this.button(page, kind);
    await button.waitFor();
    const box = await button.boundingBox();
    if (!box) throw new Error(`the button ${kind} is not visible`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const { press } = this.device;
    if (press) return { press: () => press(page, { x, y }) };
    await page.mouse.move(x, y);
    return { press: () => page.mouse.click(x, y) };
  }

  /** Resolves when the face of the next match is clear, which the page reports by itself. */
  untilClear(kind: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.#fail(kind).catch(reject), stepTimeoutMs);
      this.#clear = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  notes(): Promise<FaceNotes> {
    return this.page.evaluate(() => window.faceNotes());
  }

  /** Called when the page reports a clear face. */
  hearClear(): void {
    this.#clear();
  }

  protected abstract button(page: Page, kind: "start" | "next"): Locator;

  /** What the page shows now, for an error message. */
  protected abstract showing(): Promise<string>;

  /** @throws Error with what the page shows instead of a clear face */
  async #fail(kind: string): Promise<never> {
    throw new Error(`no clear face after ${kind}: ${await this.showing()}, ${JSON.stringify(await this.notes())}`);
  }
}

/** A page in its own context, with permission for its fake camera. */
export async function newFacePage(browser: Browser, baseURL: string, device: FaceDevice): Promise<Page> {
  const permissions = ["camera", "microphone"];
  const context = await browser.newContext({ baseURL, locale: "en-US", permissions, ...device.context });
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  await page.addInitScript(watchLongTasks);
  await device.prepare?.(page);
  return page;
}

interface OpenOptions {
  url: string;
  who: Exclude<Who, string>;
  device?: FaceDevice;
}

/** One person with a camera, in a page of the product. */
export class FacePerson extends FaceMeeter {
  /** Signs in, accepts the rules, and dismisses the notes that the first search shows. */
  static async open(browser: Browser, { url, who, device = desktop }: OpenOptions): Promise<FacePerson> {
    const page = await newFacePage(browser, url, device);
    const person = new FacePerson(page, device);
    await page.exposeFunction("tellFaceClear", () => person.hearClear());
    const labelEnd = wordsIn("en", "call.remote").split("{name}").at(-1)!;
    await page.addInitScript(watchFace, { labelEnd });
    await beginSession(page, who, url);
    await page.getByRole("button", { name: words("home.start") }).click();
    await page.getByRole("checkbox", { name: words("rules.never") }).check();
    await page.getByRole("button", { name: words("rules.ok") }).click();
    await callScreen(page).waitFor();
    await person.#readNotice();
    await person.goHome();
    return person;
  }

  async wait(): Promise<void> {
    await this.#press(this.page.getByRole("button", { name: words("home.start") }));
    await this.page.locator("[data-match-state='1']").waitFor();
  }

  async goHome(): Promise<void> {
    const { page } = this;
    const either = page
      .getByRole("button", { name: words("call.end") })
      .or(page.getByRole("button", { name: words("search.stop") }));
    await this.#press(either);
    await callScreen(page).waitFor({ state: "detached" });
  }

  override async beInspected(): Promise<void> {
    await this.wait();
    await this.page.waitForTimeout(inspectedMs);
    await this.goHome();
  }

  /** Presses as the device does: a mouse pointer that rests on a page is hit-tested after each layout. */
  #press(button: Locator): Promise<void> {
    return this.device.press ? button.tap() : button.click();
  }

  protected button(page: Page, kind: "start" | "next"): Locator {
    return page.getByRole("button", { name: words(kind === "start" ? "home.start" : "call.next") });
  }

  protected async showing(): Promise<string> {
    const status = callScreen(this.page).getAttribute("data-status", { timeout: 1_000 });
    return (await status.catch(() => "home")) ?? "no call";
  }

  async #readNotice(): Promise<void> {
    const notice = this.page.getByRole("region", { name: words("search.checks") });
    await notice.getByRole("button", { name: words("rules.ok") }).click();
  }
}
