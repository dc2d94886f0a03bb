import { pushEndpointLengthMax } from "@fava/wire/limits.ts";
import { isHostOf } from "#lib/host-names.ts";
import type { PushTarget } from "#ports/pusher.ts";
import { isPoint } from "./vapid.ts";

const authBytes = 16;

/**
 * What of a target no push service gives out. Its address comes from a person, and this server would send there: only
 * https at the usual port of hosts that an operator trusts (rule NOTIFY-2).
 *
 * @param hosts names, or `*.` before a name for everything under it.
 */
export function wrongPartOf(target: PushTarget, hosts: readonly string[]): keyof PushTarget | null {
  if (!isPushAddress(target.endpoint, hosts)) return "endpoint";
  if (!isPoint(target.p256dh)) return "p256dh";
  return Buffer.from(target.auth, "base64url").length === authBytes ? null : "auth";
}

function isPushAddress(endpoint: string, hosts: readonly string[]): boolean {
  if (endpoint.length > pushEndpointLengthMax || !URL.canParse(endpoint)) return false;
  const { protocol, port, username, password, hash, hostname } = new URL(endpoint);
  // The usual port is none.
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  return isHostOf(hostname, hosts);
}
