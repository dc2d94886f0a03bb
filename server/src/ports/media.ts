import type { IceServer } from "@fava/wire/pushes.ts";

/** How the two browsers of a match reach each other. */
export interface MediaRelay {
  /** `relay`: only relayed candidates may travel, and the server strips all others. */
  readonly policy: "all" | "relay";
  /** Short-lived credentials for one person. `expiresAtMs` is when they stop working. */
  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number };
}
