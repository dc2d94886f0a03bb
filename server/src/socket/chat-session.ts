import type { WebSocket } from "ws";
import type { AddressSocket } from "./address-sockets.ts";
import { openSession, type Session } from "./session-machine.ts";

/** What the hub holds of one chat session: where it stands, whose it is, and the socket that serves it now. */
export class ChatSession {
  readonly id: string;
  state: Session;
  /** Null until the hello was verified. */
  userId: bigint | null = null;
  /** Null while dropped. */
  socket: WebSocket | null;

  constructor(id: string, opened: { socket: WebSocket; atMs: number }) {
    this.id = id;
    this.socket = opened.socket;
    this.state = openSession(opened.atMs);
  }
}

/** One socket; which session it serves changes once, when its hello continues an earlier session. */
export interface Connection {
  readonly socket: WebSocket;
  /** As its address counts it. */
  readonly counted: AddressSocket;
  session: ChatSession;
  /** A hello arrived and is being verified, or was. */
  greeted: boolean;
}
