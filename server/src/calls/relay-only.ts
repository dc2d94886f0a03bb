import { isIP } from "node:net";
import type { Candidate, Signal } from "@fava/wire/signals.ts";

/** Under the relay policy, signals contain only the relay's addresses, even if a browser ignores the policy. */

export function relayOnlyDescription(sdp: string): string {
  const lines: string[] = [];
  for (const line of sdp.split(/\r\n|\r|\n/)) {
    const kept = relayOnlyLine(line);
    if (kept !== null) lines.push(kept);
  }
  return lines.length === 0 ? "" : `${lines.join("\r\n")}\r\n`;
}

/** The signal without other addresses; null if nothing remains. */
export function relayOnlySignal(signal: Signal): Signal | null {
  switch (signal.type) {
    case "offer":
    case "answer":
      return { ...signal, sdp: relayOnlyDescription(signal.sdp) };
    case "candidates": {
      const candidates = signal.candidates.flatMap((candidate) => relayOnlyCandidate(candidate) ?? []);
      return candidates.length === 0 ? null : { ...signal, candidates };
    }
    case "restart":
      return signal;
  }
}

function relayOnlyLine(line: string): string | null {
  if (!/^[a-z]=/.test(line)) return null;
  const attribute = /^a=([^:\s]+)/.exec(line)?.[1]?.toLowerCase();
  if (attribute === "candidate") {
    const candidate = relayedCandidate(line.slice("a=".length));
    return candidate && `a=${candidate}`;
  }
  if (attribute === "remote-candidates") return null;
  if (attribute === "rtcp") return "a=rtcp:9 IN IP4 0.0.0.0";
  if (line.startsWith("c=")) return "c=IN IP4 0.0.0.0";
  if (line.startsWith("o=")) return blankOrigin(line);
  if (line.startsWith("m=")) return blankPort(line);
  return namesAddress(line) ? null : line;
}

/** Replaces the port of an address by 9. Port 0 marks a rejected section and stays. */
function blankPort(line: string): string | null {
  const blanked = line.replace(/^(m=[a-z]+) ([1-9]\d*)(?=[ /])/, "$1 9");
  return namesAddress(blanked) ? null : blanked;
}

function blankOrigin(line: string): string {
  const [, id, version] = /^o=\S+ (\d{1,20}) (\d{1,20}) /.exec(line) ?? ["", "0", "0"];
  return `o=- ${id} ${version} IN IP4 0.0.0.0`;
}

function relayOnlyCandidate(candidate: Candidate): Candidate | null {
  const { sdpMid, sdpMLineIndex, usernameFragment } = candidate;
  const around = { sdpMid, sdpMLineIndex, ...(usernameFragment === undefined ? {} : { usernameFragment }) };
  if (namesAddress(sdpMid ?? "") || namesAddress(usernameFragment ?? "")) return null;
  // The empty candidate ends the list of candidates.
  if (candidate.candidate === "") return { candidate: "", ...around };
  const line = relayedCandidate(candidate.candidate);
  return line === null ? null : { candidate: line, ...around };
}

const candidateForm =
  /^candidate:([A-Za-z0-9+/]{1,32}) (\d{1,5}) (udp|tcp) (\d{1,10}) (\S+) (\d{1,5}) typ relay(?: (.*))?$/i;

/** Rebuilds a relayed candidate from its known parts, so that nothing else passes. Null for any other candidate. */
function relayedCandidate(line: string): string | null {
  const match = candidateForm.exec(line);
  if (!match) return null;
  const [, foundation, component, transport, priority, address = "", port, extensions = ""] = match;
  const family = isIP(address);
  if (family === 0) return null;
  const related = family === 6 ? "raddr :: rport 0" : "raddr 0.0.0.0 rport 0";
  const head = `candidate:${foundation} ${component} ${transport} ${priority} ${address} ${port} typ relay ${related}`;
  const generation = /(?:^| )generation (\d{1,9})(?: |$)/.exec(extensions)?.[1];
  const fragment = /(?:^| )ufrag ([A-Za-z0-9+/]{1,256})(?: |$)/.exec(extensions)?.[1];
  return [head, generation && `generation ${generation}`, fragment && `ufrag ${fragment}`].filter(Boolean).join(" ");
}

const fingerprintForm = /^a=fingerprint:[a-z0-9-]{1,20} [0-9a-f]{2}(?::[0-9a-f]{2}){15,63}$/i;
const addressForms = [
  /\d{1,3}(?:\.\d{1,3}){3}/,
  // IPv6: a double colon, or eight groups. In a description only the fingerprint looks alike, a longer row of pairs.
  /::/,
  /(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}/i,
  /\.local(?![a-z0-9-])/i,
];

function namesAddress(text: string): boolean {
  return !fingerprintForm.test(text) && addressForms.some((form) => form.test(text));
}
