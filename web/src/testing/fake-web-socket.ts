import { type ClientMessage, type ServerMessage, socketPath } from "@fava/wire/socket.ts";

/** The browser's end of a socket; the test acts as the server. */
export class FakeWebSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;

  readonly url = socketPath;
  readyState: number = FakeWebSocket.CONNECTING;
  readonly sent: ClientMessage[] = [];
  /** The code with which the page has closed the socket; null while it has not. */
  closedWith: number | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(code = 1005): void {
    if (this.readyState >= FakeWebSocket.CLOSING) return;
    this.readyState = FakeWebSocket.CLOSING;
    this.closedWith = code;
  }

  /** Completes the handshake. */
  open(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** Delivers a message, or any other text. */
  deliver(frame: ServerMessage | string): void {
    const data = typeof frame === "string" ? frame : JSON.stringify(frame);
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  /** Closes the connection with the server's code, or 1006 for a broken one. */
  lose(code = 1006): void {
    this.readyState = FakeWebSocket.CLOSED;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  /** The sent messages of one type. */
  sentOf<Type extends ClientMessage["type"]>(type: Type): Extract<ClientMessage, { type: Type }>[] {
    return this.sent.filter((frame): frame is Extract<ClientMessage, { type: Type }> => frame.type === type);
  }
}
