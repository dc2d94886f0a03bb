import { pushEndpointLengthMax } from "@fava/wire/limits.ts";
import { isHostOf } from "#lib/host-names.ts";
import type { PushTarget } from "#ports/pusher.ts";
import { isPoint } from "./vapid.ts";

const authBytes = 16;

/**
 * The URL comes from a user, and this server would send requests to it: https at the default port of `hosts` only (rule
 * NOTIFY-2). `*.` before a host allows every host under it.
 */
export function wrongPartOf(target: PushTarget, hosts: readonly string[]): keyof PushTarget | null {
  if (!isPushAddress(target.endpoint, hosts)) return "endpoint";
  if (!isPoint(target.p256dh)) return "p256dh";
  return Buffer.from(target.auth, "base64url").length === authBytes ? null : "auth";
}

function isPushAddress(endpoint: string, hosts: readonly string[]): boolean {
  if (endpoint.length > pushEndpointLengthMax || !URL.canParse(endpoint)) return false;
  const { protocol, port, username, password, hash, hostname } = new URL(endpoint);
  // The default port is empty.
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "" || hash !== "") return false;
  return isHostOf(hostname, hosts);
}
