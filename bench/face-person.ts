import type { Browser, Page } from "@playwright/test";
import { callScreen } from "../e2e/support/people.ts";
import { beginSession, type Who } from "../e2e/support/session.ts";
import { words, wordsIn } from "../e2e/support/words.ts";
import { faceMarks, type FaceNotes, watchFace, watchLongTasks } from "./face-watch.ts";

const viewport = { width: 1_000, height: 700 };
const stepTimeoutMs = 20_000;

interface FoundButton {
  press: () => Promise<void>;
}

/** One person with a camera, in a page of the browser. */
export class FacePerson {
  readonly page: Page;
  #clear: () => void = () => undefined;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Signs in, accepts the rules, and has read what is said once of a search. */
  static async open(browser: Browser, { url, who }: { url: string; who: Who }): Promise<FacePerson> {
    const context = await browser.newContext({
      baseURL: url,
      viewport,
      locale: "en-US",
      permissions: ["camera", "microphone"],
    });
    context.setDefaultTimeout(stepTimeoutMs);
    const page = await context.newPage();
    const person = new FacePerson(page);
    await page.exposeFunction("tellFaceClear", () => person.#clear());
    const labelEnd = wordsIn("en", "call.remote").split("{name}").at(-1)!;
    await page.addInitScript(watchLongTasks);
    await page.addInitScript(watchFace, { labelEnd, marks: faceMarks });
    await beginSession(page, who, url);
    await page.getByRole("button", { name: words("home.start") }).click();
    await page.getByRole("checkbox", { name: words("rules.never") }).check();
    await page.getByRole("button", { name: words("rules.ok") }).click();
    await callScreen(page).waitFor();
    await person.#readNotice();
    await person.goHome();
    return person;
  }

  /** Presses Start where nobody waits; resolves when the search has begun. */
  async wait(): Promise<void> {
    await this.page.getByRole("button", { name: words("home.start") }).click();
    await this.page.locator("[data-match-state='1']").waitFor();
  }

  /** Ends the call, or the search into which the other's end has put this person. */
  async goHome(): Promise<void> {
    const { page } = this;
    const either = page
      .getByRole("button", { name: words("call.end") })
      .or(page.getByRole("button", { name: words("search.stop") }));
    await either.click();
    await callScreen(page).waitFor({ state: "detached" });
  }

  /** Looks for the button beforehand, so that nothing but the press itself falls into what is measured. */
  async findButton(kind: "start" | "next"): Promise<FoundButton> {
    const { page } = this;
    const button = page.getByRole("button", { name: words(kind === "start" ? "home.start" : "call.next") });
    await button.waitFor();
    const box = await button.boundingBox();
    if (!box) throw new Error(`the button ${kind} is not to be seen`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    return { press: () => page.mouse.click(x, y) };
  }

  /** Resolves when the face of the next match is clear. The page tells it by itself. */
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

  /** @throws Error with what the page shows instead of a clear face */
  async #fail(kind: string): Promise<never> {
    const state = await callScreen(this.page)
      .getAttribute("data-status", { timeout: 1_000 })
      .catch(() => "home");
    throw new Error(`no clear face after ${kind}: ${state}, ${JSON.stringify(await this.notes())}`);
  }

  async #readNotice(): Promise<void> {
    const notice = this.page.getByRole("region", { name: words("search.checks") });
    await notice.getByRole("button", { name: words("rules.ok") }).click();
  }
}
