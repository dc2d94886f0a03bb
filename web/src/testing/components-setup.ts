import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/bricolage-grotesque/wght.css";
import "../styles/fallback-fonts.css";
import "../styles/tokens.css";
import "../styles/base.css";
import { installStillCamera } from "#testing/remote-person.ts";

installStillCamera();

// What index.html has beside the root.
for (const urgency of ["polite", "assertive"]) {
  const region = Object.assign(document.createElement("div"), { id: `said-${urgency}`, className: "visually-hidden" });
  region.setAttribute("aria-live", urgency);
  document.body.append(region);
}
