import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { directionOf } from "@fava/wire/languages.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import type { Limits } from "#ports/rate-limits.ts";
import type { MailAddresses } from "./mail-addresses.ts";
import { filledText, mailTextsIn } from "./mail-texts/mail-texts.ts";
import type { MailTexts } from "./mail-texts/text-shape.ts";
import { confirmPath, stopPath } from "./mail-writing.ts";

interface MailPagesOptions {
  addresses: Pick<MailAddresses, "confirm" | "stop" | "kindOf">;
  limits: Limits;
}

interface Page {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Text of the button that sends the page's address again, by POST; null for a link to the site. */
  readonly button: string | null;
}

const bodyBytesMax = 10_240;
const noBody = Symbol("no body");
const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f6f1, #131512);
  color: light-dark(#141713, #f1f2ec); font: 400 1rem/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; max-width: 28rem; padding: 24px; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 12px; text-wrap: balance; }
p { margin: 0 0 24px; overflow-wrap: anywhere; }
a, button { display: inline-block; box-sizing: border-box; min-height: 48px; padding: 12px 24px; border: 0;
  border-radius: 24px; background: light-dark(#141713, #f1f2ec); color: light-dark(#fff, #141713); font: inherit;
  font-weight: 600; line-height: 24px; text-decoration: none; cursor: pointer; }
a:focus-visible, button:focus-visible { outline: 3px solid light-dark(#2f7d32, #8fd48f); outline-offset: 3px; }
`;
const styleHash = createHash("sha256").update(style).digest("base64");
const pagePolicy = `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/**
 * The pages behind the links of mails (rule MAIL-6). A GET changes nothing, because mail programs open links by
 * themselves. The POST of `stopPath` is also the one-click request of RFC 8058.
 */
export async function mailPages(app: FastifyInstance, { addresses, limits }: MailPagesOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, _body, done) =>
      done(null, noBody),
    );
    scope.addHook("onRequest", async (request, reply) => {
      const waitSeconds = await limits.take("mailPageByAddress", request.ip);
      if (waitSeconds === null) return;
      return reply.code(429).header("retry-after", waitSeconds).type("text/plain").send("too many requests");
    });
    scope.get(confirmPath, (request, reply) => {
      const { texts } = asked(request);
      const { confirm: title, confirmText: text, confirmGo: button } = texts.page;
      return sendPage(request, reply, { status: 200, title, text, button });
    });
    scope.post(confirmPath, async (request, reply) => {
      const { token, texts } = asked(request);
      return sendPage(request, reply, (await addresses.confirm(token)) ? confirmedPage(texts) : expiredPage(texts));
    });
    scope.get(stopPath, (request, reply) => {
      const { token, texts } = asked(request);
      const kind = addresses.kindOf(token);
      if (kind === null) return sendPage(request, reply, expiredPage(texts));
      const { stop: title, stopText, stopGo: button } = texts.page;
      return sendPage(request, reply, {
        status: 200,
        title,
        text: filledText(stopText, { kind: texts.kinds[kind] }),
        button,
      });
    });
    scope.post(stopPath, async (request, reply) => {
      const { token, texts } = asked(request);
      const kind = await addresses.stop(token);
      if (kind === null) return sendPage(request, reply, expiredPage(texts));
      const { stopped: title, stoppedText } = texts.page;
      return sendPage(request, reply, {
        status: 200,
        title,
        text: filledText(stoppedText, { kind: texts.kinds[kind] }),
        button: null,
      });
    });
  });
}

function confirmedPage({ page }: MailTexts): Page {
  return { status: 200, title: page.confirmed, text: page.confirmedText, button: null };
}

function expiredPage({ page }: MailTexts): Page {
  return { status: 400, title: page.expired, text: page.expiredText, button: null };
}

function asked(request: FastifyRequest): { token: string; language: string; texts: MailTexts } {
  const { token, language } = request.query as Record<string, unknown>;
  return {
    token: typeof token === "string" ? token : "",
    ...mailTextsIn(typeof language === "string" ? language : "en"),
  };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { status, title, text, button }: Page): FastifyReply {
  const { language, texts } = asked(request);
  const action =
    button === null
      ? `<a href="/">${escapeHtml(texts.page.open)}</a>`
      : `<form method="post"><button>${escapeHtml(button)}</button></form>`;
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("content-security-policy", pagePolicy)
    .header("referrer-policy", "no-referrer")
    .send(
      [
        `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">`,
        `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
        `<title>${escapeHtml(title)}</title><link rel="icon" href="/icon.svg" type="image/svg+xml"><style>${style}</style></head>`,
        `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${action}</main></body></html>`,
      ].join(""),
    );
}
