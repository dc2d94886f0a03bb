import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FileGate } from "@fava/server/test/fixtures/fixture-server.ts";
import { expect, type Page } from "@playwright/test";

/** A chunk of the build's manifest. */
interface Chunk {
  file: string;
  css?: readonly string[];
  imports?: readonly string[];
  dynamicImports?: readonly string[];
}

/**
 * Scenes, and the files that fail in them at the first attempt, by their names without hashes. A script may fail only
 * where no style sheet of its part does, nor another script of it, because a part is tried twice. A script of two parts
 * of a scene may not fail either: the second attempt of one part could wait for the first request of the other. A scene
 * that is listed twice is played twice.
 */
export const failingFiles: readonly (readonly [scene: string, files: string])[] = [
  [
    "the browser asks for camera and microphone",
    "Avatar.css StreamVideo.css Chip.css dialogs.css Select.css Kbd.css IconTile.css Checkbox.css RulesSheet.css Points.css PermissionCover.css",
  ],
  ["devices: no-microphone", "CameraPreview.css DevicePickers.css DeviceTipsSheet.css"],
  [
    "profile and messages over a call",
    "PresenceAvatar.css PersonRow.css OtherProfileSheet.css MessagesOverlay.css OfficialMark.css",
  ],
  ["a report in a call, and the panic page", "ReportSheet.css CallMeter.css CallLayer.css messages.css"],
  ["a page that returns to its call", "ReturnSheet.css"],
  ["a good end of a call", "KindWordOffer.css"],
  ["a friend rings", "RingSheet.css"],
  ["a user rings a friend", "UnansweredSheet.js"],
  ["links for a call with a friend, and a friend who opened one", "InviteSheet.js InvitedSheet.js"],
  ["links for a call with a friend, and a friend who opened one", "Invite.css"],
  ["a page opened by the link of a friend", "InvitationSheet.js"],
  ["calls that ended for want of frames", "UncheckedSheet.css"],
  ["the notice of a ban", "SessionEndSheets.css AppealPage.css"],
  ["a path that does not exist", "NotFound.css PageFrame.css"],
  // Press nothing in it: a prerendered page takes no press before its script has loaded.
  ["about us", "AboutPage.css PageBlock.css"],
  ["the text page: terms", "LegalPage.css Note.css"],
  ["the text for the safety centre", "SafetyPage.css"],
  ["a notice by anybody, and its states", "NoticePage.css"],
  ["the figures of transparency, and of a new installation", "TransparencyPage.css Table.css"],
  ["a statement of beans", "BalanceFigure.js BeanGauge.css EmptyState.css StatementSheet.css"],
  ["the receipt of a purchase", "Beans.css Facts.css"],
  ["a shop without packs, and its notices", "payment.css QuickChoices.css"],
  ["a new user's own profile", "LoadFailure.css Switch.css MarkedText.css ProfileSheet.css"],
  ["the preferences", "PreferencesSheet.css TagList.css"],
  ["a user without a gender", "ProfileSheets.css"],
  ["an order that waits for a decision", "AdminPage.css"],
  ["figures of the last days", "desk-format.css"],
  ["keys, labels and notes at the desk, and the ban dialog", "DeskPage.css"],
  ["an account that is deleted", "DeleteAccountSheet.js"],
  ["the shop and a payment that succeeds", "call-runtime.js UserMenu.js idle-tasks.js ShopSheet.js PaymentSheet.js"],
  ["messages that the browser translates", "TranslatedText.css"],
  ["the local video before a call", "DevicesSheet.js WaitEstimate.js"],
  ["people on the home screen of a member", "HomePeople.css"],
  ["the home screen with a long name, many unread messages and the highest price", "HomePeople.js"],
  ["a new user enters birthday and gender", "CompleteProfileSheet.js"],
  ["a minor", "AgeRestrictionSheet.js"],
  ["drawn people in motion, and paused", "DrawnLoop.css"],
  ["the same where nobody is signed in", "OtherRoutes.js ChargeReturnPage.js"],
  ["a session ended by another sign-in", "KickedSheet.js"],
  ["a sign-in while banned", "BannedSheet.js"],
  ["restoring a deleted account, in time and too late", "RestoreAccountSheet.js"],
  ["beans that run out in a call", "TopUpSheet.js RanOutSheet.js"],
  ["a call in another tab", "TakeOverSheet.js"],
  ["a pause before the next match", "PausedSheet.js"],
  ["an age check, from the question to the pass", "AgeSheet.js"],
  ["a meter before the first frame", "MeterPanel.js"],
  ["the safety rules, and a search that is too expensive", "NotEnoughBeansSheet.js"],
  ["a search in a country without users", "NoProfilesSheet.js"],
  ["a search, and a match that fails", "OfferLine.css"],
  ["finding people", "PeopleSheet.js FindSheet.js"],
  ["actions on people that the server rejects", "RefusedSheet.js"],
  ["the withdrawal of a purchase", "WithdrawSheet.js"],
  ["the spending cap", "CapSheet.js"],
  ["account and data", "Account.css AccountSheet.css"],
  ["the safety centre of a member", "ensure-media.js"],
  ["the notification prompt after befriending", "NotifySheet.js"],
  ["the receipt of a purchase", "ReceiptSheet.js"],
  ["a session that has expired", "en.js"],
  ["a page that the browser translates", "LanguageSheet.js"],
];

const directory = process.env["WEB_DIR"] ?? fileURLToPath(new URL("../../web/dist", import.meta.url));

/**
 * The files of lazily loaded parts of the page: every style sheet, and the scripts of parts without one. Left out are
 * real sign-in providers (no fixture), texts in other languages, the notification prompt and the background blur (not
 * retried), and the drawings of home (in its HTML).
 */
export function filesOfParts(): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(`${directory}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const chunks = Object.values(manifest);
  const atOnce = new Set<string>();
  addFiles("index.html");
  const styles = chunks.flatMap(({ css = [] }) => css).filter((file) => !atOnce.has(file));
  const scripts = chunks
    .flatMap(({ dynamicImports = [] }) => dynamicImports)
    .filter(
      (name) =>
        !/locales\/(?!en\.)|\.md$|live-sign-in|handwritten-formats|DrawnStage|blurred-camera|[/_]ask[-.]/.test(name),
    )
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

/** Lets files fail once; records which did, and checks that all style sheets apply in the end. */
export class FailingFiles implements FileGate {
  readonly #names: ReadonlySet<string>;
  readonly #failed = new Set<string>();
  /** How often a part had failed when the file was first requested, by its path. */
  readonly #begun = new Map<string, string>();
  /** Paths of the requested style sheets, by the mark of the document. */
  readonly #styles = new Map<string, Set<string>>();

  /** @param names separated by spaces */
  constructor(names: string) {
    this.#names = new Set(names.split(" "));
  }

  /** The page has these files from an earlier scene, in which others failed. */
  isAskedAnew(path: string): boolean {
    return path.startsWith("/assets/") && everFailing.has(nameOf(path));
  }

  lets(path: string, cookies: string): boolean {
    const [, mark = "", failures = ""] = /part-failures=(\w+)\.(\d+)/.exec(cookies) ?? [];
    if (path.endsWith(".css")) this.#styles.set(mark, new Set(this.#styles.get(mark)).add(path));
    const name = nameOf(path);
    if (!this.#names.has(name)) return true;
    // A failed preload is no failure yet, because the part requests the file again.
    const before = this.#begun.get(path) ?? failures;
    this.#begun.set(path, before);
    if (failures === before) return false;
    this.#failed.add(name);
    return true;
  }

  /** Expects that every requested style sheet of the page applies. */
  async expectStyled(page: Page, message: string): Promise<void> {
    const missing = async () => {
      const { mark, paths } = await page.evaluate(styleSheetsInForce);
      return [...(this.#styles.get(mark) ?? [])].filter((path) => !paths.includes(path));
    };
    await expect.poll(missing, { message }).toEqual([]);
  }

  /** Some are requested only when the page is idle. */
  async expectAllFailed(): Promise<void> {
    const unasked = () => [...this.#names].filter((name) => !this.#failed.has(name));
    await expect.poll(unasked, { message: "files that were not requested" }).toEqual([]);
  }
}

const everFailing: ReadonlySet<string> = new Set(failingFiles.flatMap(([, files]) => files.split(" ")));

/** Run in a page before its own scripts. */
export const beforeFailures = [countFailures, forgetStyleFiles] as const;

declare global {
  interface Window {
    /** Distinguishes the successive documents of one page. */
    documentMark?: string;
  }
}

/** Counts the failed attempts to load a part, and sends the count with each request. */
function countFailures(): void {
  const mark = `d${Math.random().toString(36).slice(2)}`;
  window.documentMark = mark;
  let failures = 0;
  const tell = () => void (document.cookie = `part-failures=${mark}.${failures}; path=/`);
  tell();
  window.addEventListener("vite:preloadError", () => {
    failures += 1;
    tell();
  });
}

/** Chunks do not request an inlined style sheet, but on other pages they do: make them do so here, too. */
function forgetStyleFiles(): void {
  document.addEventListener("DOMContentLoaded", () => {
    for (const style of document.querySelectorAll("style")) delete style.dataset["file"];
  });
}

/** Runs in the page. */
function styleSheetsInForce(): { mark: string; paths: string[] } {
  const hasRules = (sheet: CSSStyleSheet) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      // The rules of a failed style sheet cannot be read.
      return false;
    }
  };
  const styled = [...document.styleSheets].filter(hasRules);
  const paths = styled.flatMap(({ href }) => (href ? new URL(href).pathname : []));
  return { mark: window.documentMark ?? "", paths };
}
