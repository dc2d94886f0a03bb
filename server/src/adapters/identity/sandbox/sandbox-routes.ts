import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as v from "valibot";
import { avatarUrlLengthMax } from "@fava/wire/limits.ts";
import { refuse, sendPage, serveSandbox } from "#adapters/sandbox-pages.ts";
import { chooserPage, chooserProblemPage } from "./chooser-page.ts";
import { portraitName, portraitSvg } from "./portrait.ts";
import {
  type SandboxAccount,
  type SandboxIdentity,
  sandboxPersonByKey,
  type SandboxProviderName,
  sandboxProviders,
  sendBeans,
} from "./sandbox-identity.ts";

const tokenBodyBytesMax = 4_096;
const nonceSchema = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128)));
const nameSchema = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));
const tokenBodySchema = v.union([
  v.strictObject({ person: v.pipe(v.string(), v.maxLength(40)), nonce: nonceSchema }),
  v.strictObject({
    name: nameSchema,
    picture: v.optional(v.pipe(v.string(), v.maxLength(avatarUrlLengthMax))),
    nonce: nonceSchema,
  }),
]);

export interface SandboxRoutesOptions {
  sandbox: SandboxIdentity;
  /** Issues a nonce to scripts that did not call `/api/login/prepare`. */
  issueNonce(): Promise<string>;
  /** False if no user has this number. */
  giveBeans: (userNo: string, beans: bigint) => Promise<boolean>;
  /** Allows requests from other machines. Off by default: a client can sign in as anyone. */
  allowRemote?: boolean;
}

export async function sandboxIdentityRoutes(app: FastifyInstance, options: SandboxRoutesOptions): Promise<void> {
  await serveSandbox(app, {
    bodyBytesMax: tokenBodyBytesMax,
    allowRemote: options.allowRemote ?? false,
    allowForwarded: true,
    files: {
      "/sandbox/identity/chooser.js": new URL("./chooser.js", import.meta.url),
      "/sandbox/identity/chooser.css": new URL("./chooser.css", import.meta.url),
    },
    routes(scope) {
      scope.get("/sandbox/identity/avatars/:file", sendPortrait);
      scope.get("/sandbox/identity/:provider/authorize", (request, reply) =>
        sendChooser(request, reply, options.sandbox),
      );
      scope.post("/sandbox/identity/:provider/token", (request, reply) => sendToken(request, reply, options));
      scope.post("/sandbox/beans", (request, reply) => sendBeans(request, reply, options.giveBeans));
    },
  });
}

function sendPortrait(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const name = portraitName(request.url);
  if (name === null) return refuse(reply, 404, "no such portrait");
  // An SVG opened as a page must not run scripts.
  return reply
    .type("image/svg+xml")
    .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .send(portraitSvg(name));
}

const authorizeQuerySchema = v.object({
  client_id: v.string(),
  nonce: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  origin: v.pipe(v.string(), v.maxLength(300)),
});

function sendChooser(request: FastifyRequest, reply: FastifyReply, sandbox: SandboxIdentity): FastifyReply {
  const provider = providerOf(request);
  if (!provider) return refuse(reply, 400, "unknown provider");
  const query = v.safeParse(authorizeQuerySchema, request.query);
  const clientId = sandbox.providers.find(({ loginType }) => loginType === sandboxProviders[provider])?.clientId;
  const isAccepted = query.success && query.output.client_id === clientId && isOwnOrigin(request, query.output.origin);
  return isAccepted
    ? sendPage(reply, 200, chooserPage({ provider, nonce: query.output.nonce }))
    : sendPage(reply, 400, chooserProblemPage(provider));
}

async function sendToken(
  request: FastifyRequest,
  reply: FastifyReply,
  options: SandboxRoutesOptions,
): Promise<FastifyReply> {
  const provider = providerOf(request);
  if (!provider) return refuse(reply, 400, "unknown provider");
  const body = v.safeParse(v.pipe(v.string(), v.parseJson(), tokenBodySchema), request.body);
  if (!body.success) return refuse(reply, 400, "the body is {person} or {name, picture}, and an optional nonce");
  const account = accountOf(body.output);
  if (!account) return refuse(reply, 400, "unknown person");
  const grant = await options.sandbox.grant(provider, account, body.output.nonce ?? (await options.issueNonce()));
  return reply.send(grant);
}

function accountOf(body: v.InferOutput<typeof tokenBodySchema>): SandboxAccount | null {
  if ("name" in body) return { name: body.name, picture: body.picture ?? null };
  const person = sandboxPersonByKey(body.person);
  return person ? { person } : null;
}

function providerOf(request: FastifyRequest): SandboxProviderName | null {
  const { provider } = request.params as { provider: string };
  return Object.hasOwn(sandboxProviders, provider) ? (provider as SandboxProviderName) : null;
}

function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  return (
    URL.canParse(origin) && new URL(origin).origin === origin && origin === `${request.protocol}://${request.host}`
  );
}
