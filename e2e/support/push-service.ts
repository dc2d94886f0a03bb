import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface PushService extends AsyncDisposable {
  /** Preferences of a Firefox that subscribes here. */
  readonly preferences: Record<string, string | boolean>;
}

/** Issues push subscriptions to Firefox, as Mozilla's service does; it delivers nothing. */
export async function startPushService(): Promise<PushService> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "push-notification" });
  server.on("connection", (browser) => browser.on("message", (data: Buffer) => answer(browser, data.toString())));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    preferences: {
      "dom.push.serverURL": `ws://127.0.0.1:${port}/`,
      "dom.push.testing.allowInsecureServerURL": true,
      "dom.push.connection.enabled": true,
    },
    async [Symbol.asyncDispose]() {
      for (const browser of server.clients) browser.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(browser: WebSocket, request: string): void {
  const { messageType, channelID } = JSON.parse(request) as { messageType: string; channelID?: string };
  const pushEndpoint = `https://updates.push.services.mozilla.com/wpush/v2/${channelID}`;
  const answers: Record<string, object> = {
    hello: { uaid: randomUUID().replaceAll("-", ""), use_webpush: true, broadcasts: {} },
    register: { channelID, pushEndpoint },
    unregister: { channelID },
  };
  const known = answers[messageType];
  if (known) browser.send(JSON.stringify({ messageType, status: 200, ...known }));
}
