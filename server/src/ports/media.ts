import type { IceServer } from "@fava/wire/pushes.ts";

/** Tells browsers how to connect with each other. */
export interface MediaRelay {
  /** `relay`: only relayed ICE candidates are allowed, and the server removes all others. */
  readonly policy: "all" | "relay";
  /** TURN credentials for one user, which expire at `expiresAtMs`. */
  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number };
  /**
   * Ends what the relay carries for one user now, also for a browser that ignores the end of its call. Returns at once
   * and never throws. Without a relay, or without access to its sessions, it does nothing.
   */
  cut(externalId: string): void;
}
