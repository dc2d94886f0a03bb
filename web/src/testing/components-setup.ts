import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/bricolage-grotesque/wght.css";
import "../styles/fallback-fonts.css";
import "../styles/tokens.css";
import "../styles/base.css";
import { afterEach, beforeEach, onTestFinished } from "vitest";
import { leftovers, cleanUpTest, liveRegions } from "#testing/test-cleanup.ts";
import { pressDirectly } from "#testing/direct-presses.ts";
import { installStillCamera } from "#testing/remote-person.ts";
import { veil } from "#testing/veil.ts";

// Vitest runs this module before each test file.
installStillCamera();
veil();
pressDirectly();
liveRegions();

beforeEach(() => {
  // Registered first, so that it runs last.
  onTestFinished(() => {
    const left = leftovers();
    if (left.length > 0) throw new Error(`not cleaned up by this test: ${left.join(", ")}`);
  });
});
afterEach(cleanUpTest);
