import type { IceServer } from "@fava/wire/pushes.ts";

/** Tells browsers how to connect with each other. */
export interface MediaRelay {
  /** `relay`: only relayed ICE candidates are allowed, and the server removes all others. */
  readonly policy: "all" | "relay";
  /** TURN credentials for one user, which expire at `expiresAtMs`. */
  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number };
}
