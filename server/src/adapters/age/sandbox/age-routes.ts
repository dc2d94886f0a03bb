import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import { pageHtml, refuse, sendPage, serveSandbox } from "#adapters/sandbox-pages.ts";
import { type SandboxAgeCheck, type SandboxCheck, type SandboxOutcome, sandboxOutcomes } from "./sandbox-age-check.ts";

const bodySchema = v.pipe(v.string(), v.parseJson(), v.strictObject({ outcome: v.picklist(sandboxOutcomes) }));

/** Scripts decide a check by `POST /sandbox/age/<ref>` with `{"outcome": "pass"}`. */
export async function sandboxAgeRoutes(app: FastifyInstance, sandbox: SandboxAgeCheck): Promise<void> {
  await serveSandbox(app, {
    bodyBytesMax: 1_024,
    allowRemote: false,
    allowForwarded: true,
    files: {
      "/sandbox/age/age.js": new URL("./age.js", import.meta.url),
      "/sandbox/age/age.css": new URL("../../payments/sandbox/pay.css", import.meta.url),
    },
    routes(scope) {
      scope.get("/sandbox/age/:ref", (request, reply) => {
        const check = checkOf(request, sandbox);
        return check?.decided === null ? sendPage(reply, 200, agePage(check)) : sendPage(reply, 410, overPage());
      });
      scope.post("/sandbox/age/:ref", (request, reply) => choose(request, reply, sandbox));
    },
  });
}

function choose(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxAgeCheck): FastifyReply {
  const body = v.safeParse(bodySchema, request.body);
  if (!body.success) return refuse(reply, 400, "the body is {outcome}");
  const check = checkOf(request, sandbox);
  if (!check) return refuse(reply, 410, "unknown check");
  sandbox.choose(check, body.output.outcome);
  return reply.send({ redirect_url: check.request.returnUrl });
}

function checkOf(request: FastifyRequest, sandbox: SandboxAgeCheck): SandboxCheck | null {
  return sandbox.checkByRef((request.params as { ref: string }).ref);
}

const outcomeNames: Readonly<Record<SandboxOutcome, string>> = {
  pass: "I am an adult",
  fail_estimate: "The estimate does not show it",
  fail_document: "The document says under 18",
  leave: "Leave without a result",
  late: "Adult, 5 seconds late",
  other: "Report about another check",
};

function agePage({ ref, request }: SandboxCheck): string {
  const outcomes = sandboxOutcomes.filter((outcome) => request.allowsEstimate || outcome !== "fail_estimate");
  return ageHtml([
    `<main class="narrow" data-action="/sandbox/age/${ref}"><div class="card"><h1>How does the age check end?</h1>`,
    `<p>This page stands in for the vendor's. It takes no picture and no document.</p>`,
    `<p class="problem" role="alert" data-failed="That did not work. Please try again."></p>`,
    `<noscript><p class="problem">This page needs JavaScript.</p></noscript>`,
    ...outcomes.map(
      (outcome) =>
        `<button class="${outcome === "pass" ? "pay" : "leave"}" type="button" data-outcome="${outcome}">${outcomeNames[outcome]}</button>`,
    ),
    `</div></main>`,
  ]);
}

function overPage(): string {
  return ageHtml([
    `<main class="narrow"><div class="card"><h1>This check is over</h1>`,
    `<p>It was decided, has expired, or the server was restarted. You can close this window.</p></div></main>`,
  ]);
}

function ageHtml(content: readonly string[]): string {
  return pageHtml({
    title: "Test page. Age check",
    tape: { mark: "Test page.", detail: "Nobody's age is checked here." },
    style: "/sandbox/age/age.css",
    script: "/sandbox/age/age.js",
    content,
  });
}
