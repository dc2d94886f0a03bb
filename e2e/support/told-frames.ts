import type { Page } from "@playwright/test";
import type { Shield } from "@fava/wire/socket.ts";

/** Tells a page what the server would; the server's own words about pictures and their checks do not reach it. */
export interface Teller {
  shield(shield: Shield): Promise<void>;
  frame(frame: object): Promise<void>;
}

/** Stands between a page and its chat socket. The page is loaded anew for it, so it comes before the sign-in. */
export async function tellFrames(page: Page): Promise<Teller> {
  const sockets: { send(text: string): void }[] = [];
  await page.routeWebSocket(/\/ws/, (socket) => {
    const server = socket.connectToServer();
    sockets.push(socket);
    server.onMessage((text) => {
      const { type } = JSON.parse(String(text)) as { type: string };
      if (type !== "shield" && type !== "inspect") socket.send(text);
    });
  });
  await page.reload();
  const frame = async (told: object) => {
    const roomId = await page.evaluate(() => localStorage.getItem("roomId"));
    sockets.at(-1)?.send(JSON.stringify({ roomId, ...told }));
  };
  return { frame, shield: (shield) => frame({ type: "shield", ...shield }) };
}
