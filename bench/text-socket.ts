import { once } from "node:events";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { socketPath, socketServerField } from "@fava/wire/socket.ts";

/** A text connection from a simulated user to the server under load. */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

interface SocketListener {
  text(text: string): void;
  close(): void;
}

/** Opens a socket to a server; resolves when messages can be sent. */
export type OpenSocket = (server: URL, on: SocketListener) => Promise<TextSocket>;

/** The protocol of the product. Messages sent in one turn of the event loop go out in one write. */
export const openWebSocket: OpenSocket = async (server, on) =>
  openPlain(new URL(`${socketPath}?${socketServerField}=`, server), on);

/** The protocol of socket.io (Engine.IO 4, Socket.IO 5) over a WebSocket, with one event for each message. */
export const openSocketIo: OpenSocket = async (server, on) => {
  const [event, connect, connected, ping, pong] = ['42["message",', "40", "40{", "2", "3"];
  let isConnected: () => void = () => undefined;
  const connecting = new Promise<void>((resolve) => (isConnected = resolve));
  const plain = await openPlain(new URL("/socket.io/?EIO=4&transport=websocket", server), {
    text: (text) => {
      if (text.startsWith(event)) on.text(text.slice(event.length, -1));
      else if (text === ping) plain.send(pong);
      else if (text.startsWith(connected)) isConnected();
    },
    close: () => on.close(),
  });
  plain.send(connect);
  await connecting;
  return { send: (text) => plain.send(`${event}${text}]`), close: () => plain.close() };
};

/** @throws Error if the server refuses the upgrade */
async function openPlain(target: URL, on: SocketListener): Promise<TextSocket> {
  const address = new URL(target);
  address.protocol = "ws:";
  const socket = new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true });
  let tcp: Socket | null = null;
  socket.on("upgrade", (answer) => (tcp = answer.socket.setNoDelay()));
  socket.on("message", (data: Buffer) => on.text(data.toString("utf8")));
  socket.on("close", () => on.close());
  await once(socket, "open");
  socket.on("error", () => undefined);
  return {
    send: (text) => {
      if (tcp && tcp.writableCorked === 0) {
        tcp.cork();
        setImmediate((held) => held.uncork(), tcp);
      }
      socket.send(text);
    },
    close: () => socket.terminate(),
  };
}
