import { manifestPath } from "@fava/wire/installed-app.ts";
import { conversationIn, searchIn } from "@fava/wire/notifications.ts";
import { followSession } from "#features/notifications/follow-session.ts";
import { saveAndReport } from "#features/match/report-filters.ts";
import { openThread } from "#features/people/person-links.ts";
import { openInvitation } from "#features/rings/invitation-link.ts";
import { goTo } from "#lib/address.ts";
import { probeWhileUsed } from "#lib/probe-while-used.ts";
import { followBackGesture } from "#lib/back-gesture.ts";
import { currentLanguage, onLanguageChange, t } from "#lib/i18n.ts";
import { watchKeyboard } from "#lib/keyboard-inset.ts";
import { callShown } from "#lib/call-shown.ts";
import { closeAllOverlays, openOverlay } from "#lib/overlays.ts";
import { startWorker } from "#lib/register-worker.ts";
import { currentUser, session } from "#lib/session.ts";
import type { MessageToPage } from "#lib/shell-rules.ts";
import { readStored } from "#lib/storage.ts";
import { slideToastsIn } from "#ui/toast-causes.ts";
import { showToast } from "#ui/toast-store.ts";
import { followTranslation } from "./page-translation.ts";
import { readySteps, startFlow } from "./start-flow.ts";

/**
 * Starts what the page needs only after its first rendering: keyboard, probes, back gesture, translation, causes of
 * toasts, shortcuts.
 */
export function startIdleTasks(signal: AbortSignal): void {
  watchKeyboard(signal);
  probeWhileUsed(signal);
  followBackGesture(signal);
  followTranslation(signal);
  slideToastsIn(signal);
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
 * Offers to reload the page, because the server has a newer version. Only a press of the user reloads; during a call
 * the offer waits.
 */
export function offerReload(): void {
  if (isWanted) return;
  isWanted = true;
  follow();
  // Never unsubscribed, because an outdated page stays outdated.
  callShown.subscribe(follow);
}

function follow(): void {
  if (callShown.getState()) {
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

/** Opens what the address asks for, as shortcuts of the installed app and notifications do. */
export function takeShortcut(): void {
  const address = new URL(location.href);
  if (address.searchParams.get("open") === null || address.pathname !== "/") return;
  const wanted = new URL(address);
  // Without this, a reload of the page would open the same thing again.
  address.searchParams.delete("open");
  goTo(`${address.pathname}${address.search}`, { replace: true });
  open(wanted);
}

/** The user pressed a notification while the page was open. */
function openTold({ data }: MessageEvent<MessageToPage>): void {
  if (data.type !== "open") return;
  if (location.pathname !== "/") goTo("/");
  open(new URL(data.address, location.href));
}

function open({ searchParams, hash }: URL): void {
  const wanted = searchParams.get("open");
  if (wanted === "start") void startFlow();
  else if (wanted === "invite") openInvitation(hash);
  else if (wanted === "messages") void openMessages(hash);
  else if (wanted === "search") void openSearch(hash);
}

/**
 * Opens the home screen with the filters of a notification, for its recipient only; the user still has to press Start.
 * Changes nothing during a search or call.
 */
async function openSearch(hash: string): Promise<void> {
  if (!(await isSignedIn()) || callShown.getState()) return;
  const told = searchIn(hash);
  if (!told || told.to !== ownExternalId()) return;
  closeAllOverlays();
  saveAndReport({ sex: told.sex, country: told.country });
}

/** Opens the list of messages, or the named conversation for its recipient only. */
async function openMessages(hash: string): Promise<void> {
  if (!(await isSignedIn())) return;
  const told = conversationIn(hash);
  if (told === null || told.to === ownExternalId()) openThread(told?.with ?? null);
}

/** Asks a visitor to sign in, which they may also do in another tab. */
async function isSignedIn(): Promise<boolean> {
  if (session.getState().status === "anonymous") await openOverlay("login");
  return "token" in session.getState();
}

/** The stored id is known before the server has sent the user. */
function ownExternalId(): string | null {
  return currentUser()?.externalId ?? readStored("externalId");
}
