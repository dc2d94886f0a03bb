import "./styles/fallback-fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/waiting-sheet.css";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "#app/App.tsx";
import { OverlayStack } from "#app/OverlayHost.tsx";
import { preloadRoute } from "#app/routes.tsx";
import { readySteps } from "#app/start-flow.ts";
import { declareFonts, showFonts } from "#lib/fonts.ts";
import { activateInitialLanguage } from "#lib/i18n.ts";
import { findLocaleData } from "#lib/intl.ts";
import { restored, startSession } from "#lib/session.ts";
import { isPressedEarly, isShellCurrent } from "#lib/shell.ts";
import { applyTheme } from "#lib/theme.ts";
import { tolerateTranslators } from "#lib/translated-nodes.ts";
import { ignoreUnheardEvents } from "#lib/unheard-events.ts";
import { nextTask, whenIdle } from "#lib/when-idle.ts";
import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

/** Not awaited at the top level: parts of the page import from this file's chunk, and would deadlock. */
async function start(): Promise<void> {
  // In a task of its own, because the last one was long enough for a slow phone.
  await nextTask();
  tolerateTranslators();
  ignoreUnheardEvents();
  applyTheme();
  // The vendor of age checks sends its window here; the page that opened it goes on.
  if (location.search === "?age=back") window.close();
  const root = document.querySelector("#root");
  if (!root) throw new Error("index.html lacks #root");
  // A press that the page has to repeat most likely opens a dialog, which shows no numbers.
  const ready = isPressedEarly() ? void readySteps() : findLocaleData();
  await Promise.all([activateInitialLanguage(), ready, isShellCurrent() || declareFonts()]);
  // The session lives as long as the page, so its signal never aborts.
  startSession(new AbortController().signal);
  await Promise.all([
    // The error boundary reports a page that cannot be loaded, for which it must render.
    preloadRoute(location.pathname).catch(() => undefined),
    // Only the home screen differs for signed-in users.
    location.pathname === "/" && restored(),
  ]);
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  // In small tasks, because the page can be read meanwhile.
  if (isShellCurrent()) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  // The page is complete without it: ignore a failure.
  whenIdle(() => void loadIdleTasks().catch(() => undefined));
}

/** What the next press needs comes before the fonts. */
async function loadIdleTasks(): Promise<void> {
  await OverlayStack.preload().catch(() => undefined);
  void showFonts();
  const { startIdleTasks } = await loadWithTimeout(() => import("#app/idle-tasks.ts"));
  startIdleTasks(new AbortController().signal);
}

void start();
