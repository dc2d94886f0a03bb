/** The events after which iOS allows sound. */
const presses = ["pointerup", "click", "keydown"] as const;

/**
 * Opens a sound context until `signal` aborts. Browsers start one suspended that no press has opened, and iOS
 * interrupts one for a phone call: each press, and the return to the page, resumes it.
 */
export function openSoundContext(signal: AbortSignal): AudioContext {
  const context = new AudioContext();
  const resume = () => {
    if (context.state === "running" || context.state === "closed" || document.hidden) return;
    context.resume().catch((error: unknown) => console.info("no sound before a press", error));
  };
  resume();
  for (const press of presses) window.addEventListener(press, resume, { capture: true, signal });
  document.addEventListener("visibilitychange", resume, { signal });
  signal.addEventListener("abort", () => void context.close());
  return context;
}
