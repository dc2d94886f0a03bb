import { manifestPath } from "@fava/wire/installed-app.ts";
import { conversationIn, searchIn } from "@fava/wire/notifications.ts";
import { followSession } from "#features/notifications/follow-session.ts";
import { saveAndReport } from "#features/match/report-filters.ts";
import { openThread } from "#features/people/person-links.ts";
import { goTo } from "#lib/address.ts";
import { askWhileUsed } from "#lib/ask-while-used.ts";
import { followBackGesture } from "#lib/back-gesture.ts";
import { currentLanguage, onLanguageChange, t } from "#lib/i18n.ts";
import { watchKeyboard } from "#lib/keyboard-inset.ts";
import { overCall } from "#lib/over-call.ts";
import { closeAllOverlays, openOverlay } from "#lib/overlays.ts";
import { startWorker } from "#lib/own-worker.ts";
import { currentUser, session } from "#lib/session.ts";
import type { WorkerNews } from "#lib/shell-rules.ts";
import { readStored } from "#lib/storage.ts";
import { showToast } from "#ui/toast-store.ts";
import { followTranslation } from "./page-translation.ts";
import { readySteps, startFlow } from "./start-flow.ts";

/** What makes the page at home on a device, loaded once it stands: nothing of it is needed before. */
export function startAtHome(signal: AbortSignal): void {
  watchKeyboard(signal);
  askWhileUsed(signal);
  followBackGesture(signal);
  followTranslation(signal);
  void readySteps();
  takeShortcut();
  followSession(signal);
  if ("serviceWorker" in navigator) navigator.serviceWorker.addEventListener("message", openTold, { signal });
  nameManifest();
  let keepShell: (() => void) | null = null;
  const stop = onLanguageChange(() => {
    nameManifest();
    keepShell?.();
  });
  signal.addEventListener("abort", stop);
  void startWorker({ language: currentLanguage, onNewVersion: offerReload }, signal).then((keep) => {
    keepShell = keep;
  });
}

/** The installed app has its name and shortcuts in the language of the page. */
function nameManifest(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (link) link.href = manifestPath(currentLanguage());
}

let isWanted = false;
let dismiss: (() => void) | null = null;

/**
 * Offers to load the page again, because the server has a newer version. Only the person's press loads it; in a call the
 * offer waits until the call is over.
 */
export function offerReload(): void {
  if (isWanted) return;
  isWanted = true;
  follow();
  // For as long as the page lives: a version that is old stays so.
  overCall.subscribe(follow);
}

function follow(): void {
  if (overCall.getState()) {
    dismiss?.();
    dismiss = null;
    return;
  }
  dismiss ??= showToast({
    type: "info",
    text: t("device.newVersion"),
    durationMs: null,
    action: { text: t("error.reload"), run: () => location.reload() },
  });
}

/** The shortcuts of the installed app are addresses of the home screen, and so is what notifications are about. */
export function takeShortcut(): void {
  const address = new URL(location.href);
  if (address.searchParams.get("open") === null || address.pathname !== "/") return;
  const wanted = new URL(address);
  // Loading the page again does not start again.
  address.searchParams.delete("open");
  goTo(`${address.pathname}${address.search}`, { replace: true });
  open(wanted);
}

/** A notification was pressed while the page was open. */
function openTold({ data }: MessageEvent<WorkerNews>): void {
  if (data.type !== "open") return;
  if (location.pathname !== "/") goTo("/");
  open(new URL(data.address, location.href));
}

function open({ searchParams, hash }: URL): void {
  const wanted = searchParams.get("open");
  if (wanted === "start") void startFlow();
  else if (wanted === "messages") void openMessages(hash);
  else if (wanted === "search") void openSearch(hash);
}

/**
 * The home screen with the filters of what somebody asked to be told of, for them alone: Start and what it costs are theirs
 * to press. In a search or call nothing changes.
 */
async function openSearch(hash: string): Promise<void> {
  if (!(await isSignedIn()) || overCall.getState()) return;
  const told = searchIn(hash);
  if (!told || told.to !== ownExternalId()) return;
  closeAllOverlays();
  saveAndReport({ sex: told.sex, country: told.country });
}

/** The list, or the conversation that is named, of which nobody sees anything but who was told of it. */
async function openMessages(hash: string): Promise<void> {
  if (!(await isSignedIn())) return;
  const told = conversationIn(hash);
  if (told === null || told.to === ownExternalId()) openThread(told?.with ?? null);
}

/** Asks whoever is not, who may also sign in in another tab. */
async function isSignedIn(): Promise<boolean> {
  if (session.getState().status === "anonymous") await openOverlay("login");
  return "token" in session.getState();
}

/** Known before the person's own data are. */
function ownExternalId(): string | null {
  return currentUser()?.externalId ?? readStored("externalId");
}
