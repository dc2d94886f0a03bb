import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import { escapeHtml } from "#lib/escape-html.ts";
import { isForwarded, isLoopback } from "#lib/loopback.ts";

/** Sandbox pages are for developers: English only. */
export interface SandboxScope {
  bodyBytesMax: number;
  /** Allows requests from other machines. Off by default: the sandbox trusts every client. */
  allowRemote: boolean;
  /** Allows requests through a proxy on this machine, which may come from anywhere. */
  allowForwarded: boolean;
  /** Scripts and styles by path, with the extension of their file. */
  files: Readonly<Record<string, URL>>;
  routes: (scope: FastifyInstance) => void;
}

/** Accepts requests only from this machine by default, and JSON as text. */
export async function serveSandbox(app: FastifyInstance, sandbox: SandboxScope): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/json",
      { parseAs: "string", bodyLimit: sandbox.bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
      const isRefused =
        (!sandbox.allowRemote && !isLoopback(request.ip)) || (!sandbox.allowForwarded && isForwarded(request.headers));
      if (isRefused) return refuse(reply, 403, "the sandbox answers this machine only");
    });
    for (const [path, file] of Object.entries(sandbox.files)) {
      const bytes = readFileSync(file);
      const type = path.endsWith(".js") ? "text/javascript" : "text/css";
      scope.get(path, (_request, reply) => reply.type(type).send(bytes));
    }
    sandbox.routes(scope);
  });
}

export function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ code: status, data: null, msg: message });
}

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", pagePolicy)
    .header("referrer-policy", "no-referrer")
    .send(html);
}

interface SandboxPage {
  title: string;
  tape: { mark: string; detail: string };
  style: string;
  script?: string;
  content: readonly string[];
}

export function pageHtml({ title, tape, style, script, content }: SandboxPage): string {
  return [
    `<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="icon" href="/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${style}">`,
    script === undefined ? "" : `<script src="${script}" defer></script>`,
    `</head><body><header class="tape"><p><strong>${escapeHtml(tape.mark)}</strong> ${escapeHtml(tape.detail)}</p></header>`,
    ...content,
    `</body></html>`,
  ].join("");
}
