import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookRequest } from "#ports/payments.ts";

/** The site's webhook address as a provider sees it. Keeps requests and responds as the test says. */
export class WebhookListener implements AsyncDisposable {
  readonly url: string;
  answerStatus = 200;
  readonly #requests: WebhookRequest[] = [];
  #wake: (() => void) | null = null;
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<WebhookListener> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const { searchParams } = new URL(request.url ?? "/", listener.url);
        response.writeHead(listener.answerStatus).end();
        const query = Object.fromEntries(searchParams);
        listener.#requests.push({ body: Buffer.concat(parts), headers: request.headers, query });
        listener.#wake?.();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const listener = new WebhookListener(`http://127.0.0.1:${port}/pay/webhook/any`, async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return listener;
  }

  /** Waits for `count` requests, and removes and returns the oldest ones. One caller at a time. */
  async take(count: number): Promise<WebhookRequest[]> {
    while (this.#requests.length < count) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#requests.splice(0, count);
  }

  /** Number of received requests that no test has taken. */
  get waitingCount(): number {
    return this.#requests.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
