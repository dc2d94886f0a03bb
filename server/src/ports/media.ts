import type { IceServer } from "@fava/wire/pushes.ts";

/** How the browsers of a match connect. */
export interface MediaRelay {
  /** `relay`: only relayed ICE candidates are allowed; the server removes all others. */
  readonly policy: "all" | "relay";
  /** Short-lived credentials for one user; they expire at `expiresAtMs`. */
  credentialsFor(externalId: string): { iceServers: IceServer[]; expiresAtMs: number };
}
