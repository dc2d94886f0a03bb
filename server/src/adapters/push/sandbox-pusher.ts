import type { FastifyInstance } from "fastify";
import { pageHtml, sendPage, serveSandbox } from "#adapters/sandbox-pages.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import type { Clock } from "#ports/clock.ts";
import type { Pusher, PushMessage, PushOutcome, PushTarget } from "#ports/pusher.ts";
import { wrongPartOf } from "./push-targets.ts";

const keptMax = 100;

interface SandboxPush extends PushMessage {
  readonly at: string;
  readonly endpoint: string;
}

export class SandboxPusher implements Pusher {
  readonly publicKey: string;
  readonly #hosts: readonly string[];
  readonly #clock: Clock;
  readonly #kept: SandboxPush[] = [];

  constructor(options: { publicKey: string; hosts: readonly string[]; clock: Clock }) {
    this.publicKey = options.publicKey;
    this.#hosts = options.hosts;
    this.#clock = options.clock;
  }

  /** Newest first. */
  get kept(): readonly SandboxPush[] {
    return this.#kept;
  }

  wrongPart(target: PushTarget): keyof PushTarget | null {
    return wrongPartOf(target, this.#hosts);
  }

  async send(target: PushTarget, message: PushMessage): Promise<PushOutcome> {
    if (this.wrongPart(target) !== null) return "gone";
    this.#kept.unshift({ at: new Date(this.#clock.nowMs()).toISOString(), endpoint: target.endpoint, ...message });
    this.#kept.length = Math.min(this.#kept.length, keptMax);
    return "sent";
  }
}

export async function sandboxPushRoutes(app: FastifyInstance, sandbox: SandboxPusher): Promise<void> {
  await serveSandbox(app, {
    bodyBytesMax: 1_024,
    allowRemote: false,
    allowForwarded: false,
    files: { "/sandbox/push/push.css": new URL("./sandbox-push.css", import.meta.url) },
    routes(scope) {
      scope.get("/sandbox/push", (_request, reply) => sendPage(reply, 200, keptPage(sandbox.kept)));
      scope.get("/sandbox/push/messages", (_request, reply) => reply.send(sandbox.kept));
    },
  });
}

function keptPage(kept: readonly SandboxPush[]): string {
  const rows = kept.map(({ at, endpoint, ttlSeconds, payload }) => {
    const where = `To ${new URL(endpoint).host}, kept for ${ttlSeconds} s`;
    return `<h2>${at}</h2><p>${escapeHtml(where)}</p><pre>${escapeHtml(payload)}</pre>`;
  });
  return pageHtml({
    title: "Sandbox notifications",
    tape: {
      mark: "Test page.",
      detail: "What browsers without an open page would be told. Nothing leaves this machine.",
    },
    style: "/sandbox/push/push.css",
    content: ["<main>", "<h1>Notifications</h1>", ...(rows.length > 0 ? rows : ["<p>None so far.</p>"]), "</main>"],
  });
}
