import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/bricolage-grotesque/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#app/App.tsx";
import { activateInitialLanguage } from "#lib/i18n.ts";
import { startSession } from "#lib/session.ts";
import { applyTheme } from "#lib/theme.ts";

applyTheme();
const root = document.querySelector("#root");
if (!root) throw new Error("index.html lacks #root");
await activateInitialLanguage();
// The session lives as long as the page, so nothing ever ends it.
startSession(new AbortController().signal);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
