import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/fallback-fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode, startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "#app/App.tsx";
import { preloadRoute } from "#app/routes.tsx";
import { activateInitialLanguage } from "#lib/i18n.ts";
import { findLocaleData } from "#lib/intl.ts";
import { restored, startSession } from "#lib/session.ts";
import { shellFits } from "#lib/shell.ts";
import { applyTheme } from "#lib/theme.ts";
import { tolerateTranslators } from "#lib/translated-nodes.ts";
import { nextTask, whenIdle } from "#lib/when-idle.ts";
import { loadWithTimeout } from "#ui/lazy-with-timeout.ts";

/**
 * Not awaited at the top level: parts of the page import from this very file's chunk, and would wait for it while it
 * waits for them.
 */
async function start(): Promise<void> {
  // In a task of its own: on a slow phone what has just been run was long enough.
  await nextTask();
  tolerateTranslators();
  applyTheme();
  const root = document.querySelector("#root");
  if (!root) throw new Error("index.html lacks #root");
  await Promise.all([activateInitialLanguage(), findLocaleData()]);
  // The session lives as long as the page, so nothing ever ends it.
  startSession(new AbortController().signal);
  await Promise.all([
    // A page that cannot be loaded is told by the error boundary, which needs the rendering.
    preloadRoute(location.pathname).catch(() => undefined),
    // Only the home screen is another one for people who are signed in.
    location.pathname === "/" && restored(),
  ]);
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  );
  // In small tasks, since the page is there to be read meanwhile.
  if (shellFits()) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  // Without it the page is all there: a failure is no news.
  whenIdle(() => void beAtHome().catch(() => undefined));
}

async function beAtHome(): Promise<void> {
  const { startAtHome } = await loadWithTimeout(() => import("#app/at-home.ts"));
  startAtHome(new AbortController().signal);
}

void start();
