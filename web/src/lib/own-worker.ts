import { workerPath } from "@fava/wire/installed-app.ts";
import type { WorkerMessage } from "#lib/shell-rules.ts";

/** A page that stays open asks this often at most whether there is a newer version. */
const checkEveryMs = 60 * 60_000;

interface WorkerOptions {
  /** The language in which the home screen is kept. */
  language: () => string;
  /** Told when the server has another version of the web app than this page is of. */
  onNewVersion: () => void;
}

/**
 * Registers the page's worker, has it keep the home screen, and asks for newer versions, until `signal` is aborted. Answers
 * how to keep the home screen again, for a language that was changed; null where there is no worker.
 */
export async function startWorker(options: WorkerOptions, signal: AbortSignal): Promise<(() => void) | null> {
  const version = pageVersion();
  if (!("serviceWorker" in navigator) || version === null) return null;
  const registration = await register();
  if (!registration || signal.aborted) return null;
  registration.addEventListener(
    "updatefound",
    () => {
      const { installing } = registration;
      if (installing) void tellVersion(installing).then((now) => now !== version && options.onNewVersion());
    },
    { signal },
  );
  checkNowAndThen(registration, signal);
  const keep = () => {
    const message: WorkerMessage = { type: "keep", language: options.language(), version };
    void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(message));
  };
  keep();
  return keep;
}

/** The version that the server's page names; null where it was not built, as in development. */
function pageVersion(): string | null {
  return document.querySelector('meta[name="app-version"]')?.getAttribute("content") ?? null;
}

/** Undefined where it is refused, as in some private windows. */
async function register(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await navigator.serviceWorker.register(workerPath);
  } catch (error) {
    console.info("no worker", error);
    return undefined;
  }
}

/** The version of the web app that a worker came with; a worker that never answers tells nothing. */
function tellVersion(worker: ServiceWorker): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", ({ data }: MessageEvent<string>) => {
      port1.close();
      resolve(data);
    });
    port1.start();
    worker.postMessage({ type: "version" } satisfies WorkerMessage, [port2]);
  });
}

/** Browsers look for a newer worker when a page is opened; a page that stays open looks by itself, while it is seen. */
function checkNowAndThen(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  let checkedAtMs = Date.now();
  const check = () => {
    if (document.hidden || !navigator.onLine || Date.now() - checkedAtMs < checkEveryMs) return;
    checkedAtMs = Date.now();
    registration.update().catch((error: unknown) => console.info("not asked for a newer version", error));
  };
  const timer = setInterval(check, checkEveryMs);
  document.addEventListener("visibilitychange", check, { signal });
  signal.addEventListener("abort", () => clearInterval(timer));
}
