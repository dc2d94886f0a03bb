import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { WebSocketServer } from "ws";
import type { Endpoint } from "@fava/wire/endpoint.ts";
import { endpoints } from "@fava/wire/endpoints.ts";
import { type InterfaceLanguage, offeredLanguagesDefault } from "@fava/wire/languages.ts";
import { socketPath } from "@fava/wire/socket.ts";
import { portraitSvg } from "#adapters/identity/sandbox/portrait.ts";
import { readForm } from "#edge/http/form.ts";
import { addSecurityHeaders } from "#edge/http/security-headers.ts";
import { serveWebApp } from "#edge/http/web-app.ts";

/** What stands behind the pages. */
export interface FixtureBackend {
  /** The envelope of a call; null breaks the connection. */
  call(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: Uint8Array<ArrayBuffer> | null,
  ): Promise<object | null>;
  /** The answer of the payment entry to the JSON of `Api_data`; null breaks the connection. */
  gateway(request: string): Promise<object | null>;
  /** A browser has opened its chat socket, which `write` reaches and `cut` ends without a goodbye. */
  connect(write: (text: string) => void, cut: () => void): { hear(text: string): void };
  /** Nobody answers. */
  readonly isAway: boolean;
}

export interface FixtureServer extends AsyncDisposable {
  readonly url: string;
  /** What answers from now on. */
  backend: FixtureBackend | null;
}

const fileParts = new Map(Object.values<Endpoint>(endpoints).map(({ path, file }) => [path, file]));

/** Serves the built pages as the product does, headers included, and hands everything else to the backend of the moment. */
export async function startFixtureServer(
  webDirectory: string,
  languages: readonly InterfaceLanguage[] = offeredLanguagesDefault,
): Promise<FixtureServer> {
  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^multipart\//, { parseAs: "buffer", bodyLimit: 20_000_000 }, (_request, body, done) =>
    done(null, body),
  );
  addSecurityHeaders(app, { production: false, hosts: [] });
  const server: { backend: FixtureBackend | null } = { backend: null };
  const answer = async (path: string, body: unknown, contentType: string | undefined) => {
    const { fields, file } = await readForm(body as Buffer, contentType, fileParts.get(path) ?? null);
    return server.backend?.call(path, fields, file && new Uint8Array(file)) ?? null;
  };
  for (const prefix of ["/api/*", "/admin/*"]) {
    app.post(prefix, async (request, reply) => {
      const path = request.url.split("?", 1)[0] ?? "";
      const said = await answer(path, request.body, request.headers["content-type"]);
      if (said !== null) return reply.send(said);
      reply.hijack();
      request.raw.socket.destroy();
    });
  }
  app.get<{ Querystring: { Api_data?: string } }>("/gateway/entry", async (request, reply) => {
    const said = await (server.backend?.gateway(request.query.Api_data ?? "") ?? null);
    if (said !== null) return reply.send(said);
    reply.hijack();
    request.raw.socket.destroy();
  });
  app.get("/healthz", (request, reply) => {
    if (!server.backend?.isAway) return reply.send({ status: "up" });
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  });
  app.get<{ Params: { name: string } }>("/media/portrait/:name", (request, reply) =>
    reply.type("image/svg+xml").header("cache-control", "max-age=3600").send(portraitSvg(request.params.name)),
  );
  app.get("/empty-page", (_request, reply) =>
    reply
      .type("text/html")
      // As the product's pages have it: the page that comes after then needs no process of its own.
      .header("cross-origin-opener-policy", "same-origin-allow-popups")
      .send('<!doctype html><link rel="icon" href="data:,">'),
  );
  await serveWebApp(app, {
    directory: webDirectory,
    appKey: "fava-web",
    publicOrigin: null,
    operator: { company: "Fava Test Ltd", email: "hello@fava.test", address: "1 Bean Street" },
    languages,
    loginTypes: [1, 2, 3],
    contentHosts: [],
  });
  const sockets = serveSockets(app.server, server);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return Object.assign(server, {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await app.close();
    },
  });
}

function serveSockets(http: Server, server: { backend: FixtureBackend | null }): WebSocketServer {
  const sockets = new WebSocketServer({ server: http, path: socketPath });
  sockets.on("connection", (socket) => {
    if (server.backend?.isAway) return socket.terminate();
    const heard = server.backend?.connect(
      (text) => socket.send(text),
      () => socket.terminate(),
    );
    socket.on("message", (data: Buffer) => heard?.hear(data.toString()));
  });
  return sockets;
}
