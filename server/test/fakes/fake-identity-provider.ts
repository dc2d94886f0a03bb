import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** The response to a path. Receives the URL, because a response may depend on the query. */
type Answer = (url: URL) => { status?: number; body: string };

/** An identity provider on a loopback port: publishes keys, signs ID tokens, and responds as the test says. */
export class FakeIdentityProvider implements AsyncDisposable {
  readonly url: URL;
  readonly answers = new Map<string, Answer>();
  readonly requests: URL[] = [];
  readonly #sign: (payload: JWTPayload) => Promise<string>;
  readonly #close: () => Promise<void>;

  private constructor(url: URL, sign: (payload: JWTPayload) => Promise<string>, close: () => Promise<void>) {
    this.url = url;
    this.#sign = sign;
    this.#close = close;
  }

  static async start(): Promise<FakeIdentityProvider> {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" }] });
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", fake.url);
      fake.requests.push(url);
      const { status = 200, body } = fake.answers.get(url.pathname)?.(url) ?? { status: 404, body: "{}" };
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const fake = new FakeIdentityProvider(
      new URL(`http://127.0.0.1:${port}`),
      (payload) => new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(privateKey),
      () => new Promise((resolve) => server.close(() => resolve())),
    );
    fake.answers.set("/keys", () => ({ body: keys }));
    return fake;
  }

  get keySetUrl(): URL {
    return new URL("/keys", this.url);
  }

  idToken(claims: JWTPayload): Promise<string> {
    return this.#sign(claims);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
