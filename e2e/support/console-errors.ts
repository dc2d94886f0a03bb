import type { BrowserContext, ConsoleMessage, WebError } from "@playwright/test";

/** Console errors of browsers, and violations of the content security policy, while they are watched. */
export class ConsoleErrors {
  readonly #errors: string[] = [];
  readonly #contexts = new Set<BrowserContext>();

  watch(context: BrowserContext): void {
    this.#contexts.add(context);
    context.on("console", this.#onConsole);
    context.on("weberror", this.#onError);
  }

  /** Stops watching: errors of a page that is left do not count. */
  leave(): void {
    for (const context of this.#contexts) {
      context.off("console", this.#onConsole);
      context.off("weberror", this.#onError);
    }
  }

  /** Errors that match no expected pattern, oldest first. */
  unexpected(expected: readonly RegExp[] = []): string[] {
    return this.#errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
  }

  readonly #onConsole = (message: ConsoleMessage): void => {
    const isError = message.type() === "error" || /Content.Security.Policy/i.test(message.text());
    if (isError) this.#errors.push(`${message.text()} (${message.location().url})`);
  };

  readonly #onError = (error: WebError): void => {
    this.#errors.push(String(error.error()));
  };
}
