import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type BrowserContext, expect, type Page, type Request, type Route } from "@playwright/test";

/** A part of the build, by the manifest. */
interface Chunk {
  file: string;
  css?: readonly string[];
  imports?: readonly string[];
  dynamicImports?: readonly string[];
}

/**
 * Scenes, and the files that cannot be fetched in them the first time, without their hashes. A script fails where none of
 * its part's style sheets does, since a part is tried twice. A scene that is named again is played once more for it.
 */
export const failingFiles: readonly (readonly [scene: string, files: string])[] = [
  [
    "the browser asks for camera and microphone",
    "Avatar.css StreamVideo.css Chip.css Sheet.css Select.css Kbd.css List.css IconTile.css Checkbox.css RulesSheet.css Points.css PermissionCover.css",
  ],
  ["what is said of devices: no-microphone", "CameraPreview.css DeviceTipsSheet.css"],
  ["profile and messages over a call", "PresenceAvatar.css PersonRow.css OtherProfileSheet.css MessagesOverlay.css"],
  ["a report in a call, and the panic page", "ReportSheet.css CallMeter.css CallLayer.css"],
  ["a page that comes back to its call", "ReturnSheet.css"],
  ["calls that our checks have ended", "UncheckedSheet.css"],
  ["the notice of a ban", "SessionEndSheets.css Field.css AppealPage.css"],
  ["a path that does not exist", "NotFound.css PageFrame.css"],
  // Nothing is pressed on it: what the server has sent takes no press before its script is there.
  ["about us", "AboutPage.css PageBlock.css"],
  ["contact us of a member", "ContactSheet.css"],
  ["the page of text: terms", "LegalPage.css Note.css"],
  ["what to write to the safety centre", "SafetyPage.css"],
  ["the figures of transparency, and of a new installation", "TransparencyPage.css Table.css"],
  ["a statement of beans", "BeanGauge.css EmptyState.css StatementSheet.css"],
  ["the receipt of a purchase", "Beans.css Facts.css"],
  ["a shop without packs, and what may stand in it", "payment.css"],
  ["the own profile of somebody new", "LoadFailure.css Switch.css ProfileSheet.css"],
  ["the preferences", "PreferencesSheet.css"],
  ["a person whose gender is missing", "ProfileSheets.css"],
  ["an order that waits for a decision", "AdminPage.css"],
  ["keys, labels and notes at the desk, and the dialog to forbid", "DeskPage.css"],
  ["an account that is deleted", "DeletionFacts.css DeleteAccountSheet.js"],
  [
    "the shop and a payment that succeeds",
    "ensure-media.js call.js UserMenu.js OverlayStack.js at-home.js LoginSheet.js ShopSheet.js PaymentSheet.js",
  ],
  ["a new person gives birthday and gender", "CompleteProfileSheet.js"],
  ["somebody under age", "AgeRestrictionSheet.js"],
  ["the same where nobody is signed in", "OtherRoutes.js ChargeReturnPage.js"],
  ["a session that another sign-in has ended", "KickedSheet.js"],
  ["a sign-in of somebody who is banned", "BannedSheet.js"],
  ["somebody comes back to a deleted account, and comes too late", "ComeBackSheet.js"],
  ["beans that run out in a call", "TopUpSheet.js RanOutSheet.js"],
  ["a call in another tab", "TakeOverSheet.js"],
  ["a pause before anybody is met again", "PausedSheet.js"],
  ["a meter before the first picture", "MeterPanel.js"],
  ["the safety rules, and a search that is too dear", "NotEnoughBeansSheet.js"],
  ["a search in a country where nobody is", "NoProfilesSheet.js"],
  ["finding people", "PeopleSheet.js FindSheet.js"],
  ["what the server refuses to do about people", "RefusedSheet.js"],
  ["the withdrawal of a purchase", "WithdrawSheet.js"],
  ["the spending cap", "CapSheet.js"],
  ["account and data", "AccountSheet.js"],
  ["the receipt of a purchase", "ReceiptSheet.js"],
  ["a session that has expired", "en.js"],
];

const directory = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../web/dist", import.meta.url));

/**
 * Files that come with some part of the page, and not with the home screen: every style sheet, and the scripts of parts
 * that have no sheet of their own. Signing in with a real provider has no fixture, and of texts the English ones are shown.
 */
export function filesOfParts(): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(`${directory}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const chunks = Object.values(manifest);
  const atOnce = new Set<string>();
  addFiles("index.html");
  const styles = chunks.flatMap(({ css = [] }) => css).filter((file) => !atOnce.has(file));
  const scripts = chunks
    .flatMap(({ dynamicImports = [] }) => dynamicImports)
    .filter((name) => !/locales\/(?!en\.)|\.md$|live-sign-in|hand-formats/.test(name))
    .flatMap((name) => manifest[name] ?? [])
    .filter(({ css = [] }) => !css.some((file) => styles.includes(file)))
    .map(({ file }) => file);
  return new Set([...styles, ...scripts].map(nameOf));

  function addFiles(name: string): void {
    const chunk = manifest[name];
    if (!chunk || atOnce.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) atOnce.add(file);
    for (const imported of chunk.imports ?? []) addFiles(imported);
  }
}

/** Without folder and hash. */
function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/-.{8}\.(css|js)$/, ".$1");
}

/** Lets files fail once, each in one page; tells which did, and whether all style sheets are in force all the same. */
export class FailingFiles {
  readonly #names: ReadonlySet<string>;
  readonly #failed = new Set<string>();
  /** How often a part had failed when the file was asked for first, by its path. */
  readonly #begun = new Map<string, number>();
  /** Paths of the style sheets that the page has asked for since it was loaded. */
  readonly #styles = new Map<Page, Set<string>>();

  /** @param names separated by spaces */
  constructor(names: string) {
    this.#names = new Set(names.split(" "));
  }

  async prepare(context: BrowserContext): Promise<void> {
    await context.route(/\/assets\//, (route) => this.#answer(route));
  }

  /** Every style sheet that the page has asked for is in force. */
  async expectStyled(page: Page, message: string): Promise<void> {
    const missing = async () => {
      const inForce = await page.evaluate(styleSheetsInForce);
      return [...(this.#styles.get(page) ?? [])].filter((path) => !inForce.includes(path));
    };
    await expect.poll(missing, { message }).toEqual([]);
  }

  /** Some are fetched when the page is idle. */
  async expectAllFailed(): Promise<void> {
    const unasked = () => [...this.#names].filter((name) => !this.#failed.has(name));
    await expect.poll(unasked, { message: "files that were not asked for" }).toEqual([]);
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const { pathname } = new URL(request.url());
    const name = nameOf(pathname);
    const failures = await failuresOf(request);
    if (pathname.endsWith(".css")) this.#stylesOf(request.frame().page()).add(pathname);
    if (!this.#names.has(name)) return route.fallback();
    // What the browser fetches beforehand, and does not get, is no failure yet: the part asks for it once more.
    const before = this.#begun.get(pathname) ?? failures;
    this.#begun.set(pathname, before);
    if (failures === before) return route.abort();
    this.#failed.add(name);
    return route.fallback();
  }

  #stylesOf(page: Page): Set<string> {
    const known = this.#styles.get(page);
    if (known) return known;
    const styles = new Set<string>();
    this.#styles.set(page, styles);
    page.on("request", (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) styles.clear();
    });
    return styles;
  }
}

/** Run in a page before its own scripts. */
export const beforeFailures = [countFailures, forgetStyleFiles] as const;

/** Counts the tries to load a part that have failed. */
function countFailures(): void {
  Object.assign(window, { failures: 0 });
  window.addEventListener("vite:preloadError", () => {
    Object.assign(window, { failures: (window as unknown as { failures: number }).failures + 1 });
  });
}

/** What stands in an open page is fetched by no part of it, but by those of every other page: here, too. */
function forgetStyleFiles(): void {
  document.addEventListener("DOMContentLoaded", () => {
    for (const style of document.querySelectorAll("style")) delete style.dataset["file"];
  });
}

async function failuresOf(request: Request): Promise<number> {
  const asked = request.frame().evaluate(() => (window as unknown as { failures: number }).failures);
  // A page that is left meanwhile misses nothing.
  return asked.catch(() => Number.POSITIVE_INFINITY);
}

/** Runs in the page. */
function styleSheetsInForce(): string[] {
  const hasRules = (sheet: CSSStyleSheet) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      // One that could not be fetched does not let itself be read.
      return false;
    }
  };
  return [...document.styleSheets].filter(hasRules).flatMap(({ href }) => (href ? new URL(href).pathname : []));
}
