import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { relayOnlyDescription, relayOnlySignal } from "./relay-only.ts";

const fingerprint = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, (_, index) => (index + 16).toString(16).toUpperCase()).join(":")}`;

/** A description of Chromium with camera permission: host, server-reflexive and relayed candidates. */
const leaky = [
  "v=0",
  "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
  "s=-",
  "t=0 0",
  "a=group:BUNDLE 0 1",
  "a=extmap-allow-mixed",
  "a=msid-semantic: WMS 0f3c9a8e-1d9a-4a2b-8e0b-3b7f1a2c4d5e",
  "m=audio 51472 UDP/TLS/RTP/SAVPF 111 63",
  "c=IN IP4 203.0.113.7",
  "a=rtcp:9 IN IP4 0.0.0.0",
  "a=candidate:1 1 udp 2122260223 192.168.1.20 51472 typ host generation 0 network-id 1",
  "a=candidate:2 1 udp 2122194687 2001:db8:1:2:3:4:5:6 51473 typ host generation 0",
  "a=candidate:3 1 udp 2122194687 5f6b1a0e-3a3c-4d3e-9d7b-1f0e2d3c4b5a.local 51474 typ host",
  "a=candidate:4 1 udp 1686052607 203.0.113.7 51472 typ srflx raddr 192.168.1.20 rport 51472",
  "a=candidate:5 1 udp 41885439 198.51.100.9 50123 typ relay raddr 203.0.113.7 rport 51472 generation 0 ufrag aB3+ network-cost 10",
  "a=ice-ufrag:aB3+",
  "a=ice-pwd:0123456789abcdefghijklmn",
  fingerprint,
  "a=setup:actpass",
  "a=mid:0",
  "a=ssrc:1234 cname:Zm9vYmFy+/",
  "m=video 0 UDP/TLS/RTP/SAVPF 96",
  "a=fmtp:96 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f",
  "a=end-of-candidates",
  "",
].join("\r\n");

describe("descriptions under the relay policy", () => {
  test("keep relayed candidates without their related address, and lose all others", () => {
    const kept = relayOnlyDescription(leaky);
    expect(kept.match(/^a=candidate.*$/gm)).toEqual([
      "a=candidate:5 1 udp 41885439 198.51.100.9 50123 typ relay raddr 0.0.0.0 rport 0 generation 0 ufrag aB3+",
    ]);
  });

  test("have their connection, origin and port lines blanked", () => {
    const lines = relayOnlyDescription(leaky).split("\r\n");
    expect(lines).toContain("c=IN IP4 0.0.0.0");
    expect(lines).toContain("o=- 4611731400430051336 2 IN IP4 0.0.0.0");
    expect(lines).toContain("m=audio 9 UDP/TLS/RTP/SAVPF 111 63");
    expect(lines).toContain("m=video 0 UDP/TLS/RTP/SAVPF 96");
  });

  test("keep everything else as it was", () => {
    const untouched = leaky.split("\r\n").filter((line) => !/^(o|c|m|a=candidate)/.test(line));
    expect(relayOnlyDescription(leaky).split("\r\n")).toEqual(expect.arrayContaining(untouched));
    expect(relayOnlyDescription(leaky)).toContain(fingerprint);
  });

  test("are stable: a second pass changes nothing", () => {
    const once = relayOnlyDescription(leaky);
    expect(relayOnlyDescription(once)).toBe(once);
  });
});

describe("signals under the relay policy", () => {
  const around = { sdpMid: "0", sdpMLineIndex: 0 };
  const host = { candidate: "candidate:1 1 udp 1 192.168.1.20 5 typ host", ...around };
  const relayed = { candidate: "candidate:1 1 udp 1 198.51.100.9 5 typ relay raddr 10.0.0.1 rport 7", ...around };

  test("keeps a batch's relayed candidates and its end mark", () => {
    const end = { candidate: "", ...around };
    expect(relayOnlySignal({ type: "candidates", generation: 1, candidates: [host, relayed, end] })).toEqual({
      type: "candidates",
      generation: 1,
      candidates: [{ candidate: "candidate:1 1 udp 1 198.51.100.9 5 typ relay raddr 0.0.0.0 rport 0", ...around }, end],
    });
  });

  test("drops a batch of which nothing remains", () => {
    expect(relayOnlySignal({ type: "candidates", generation: 0, candidates: [host] })).toBeNull();
  });

  test("drops a candidate with an address hidden in the fields around it", () => {
    const hidden = [
      { ...relayed, sdpMid: "192.168.1.20" },
      { ...relayed, usernameFragment: "2001:db8::7" },
    ];
    expect(relayOnlySignal({ type: "candidates", generation: 0, candidates: hidden })).toBeNull();
  });
});

const relayAddress = "198.51.100.9";
const foreignAddress = fc
  .oneof(
    fc.ipV4().filter((address) => address !== relayAddress && !address.startsWith("0.")),
    fc.ipV6().filter((address) => address.includes(":") && address.length > 6),
    fc.uuid().map((id) => `${id}.local`),
  )
  .filter((address) => !relayAddress.includes(address));

const hostileLine = (address: string) =>
  fc.oneof(
    fc.constantFrom(
      `c=IN IP4 ${address}`,
      `c=IN IP6 ${address}`,
      `o=- 1 2 IN IP4 ${address}`,
      `o=${address} 1 2 IN IP4 1`,
      `s=${address}`,
      `i=${address}`,
      `u=http://${address}/`,
      `a=rtcp:9 IN IP4 ${address}`,
      `a=remote-candidates:1 ${address} 5`,
      `a=candidate:1 1 udp 1 ${address} 5 typ host`,
      `a=CANDIDATE:1 1 udp 1 ${address} 5 typ host`,
      `a=candidate:1 1 udp 1 ${address} 5 typ srflx raddr ${address} rport 9`,
      `a=candidate:1 1 udp 1 ${relayAddress} 5 typ relay raddr ${address} rport 9`,
      `a=candidate:1 1 udp 1 ${relayAddress} 5 typ relay raddr 0.0.0.0 rport 0 x ${address}`,
      `a=candidate:1 1 udp 1 ${relayAddress} 5 typ host ufrag typ relay ${address}`,
      `a=msid:${address} x`,
      `a=fingerprint:sha-256 ${address}`,
      `a=x-mine:${address}`,
      `m=audio 9 ${address} 1`,
      `${address}`,
      `A=${address}`,
    ),
    fc.string({ maxLength: 20 }).map((text) => `a=x:${text.replaceAll(/[\r\n]/g, "")} ${address}`),
  );

describe("whatever a changed browser sends", () => {
  test("[PRIV-5] leaves no address but the relay's in a description", () => {
    const sample = foreignAddress.chain((address) =>
      fc.tuple(
        fc.constant(address),
        fc.array(hostileLine(address), { maxLength: 12 }),
        fc.constantFrom("\r\n", "\n", "\r"),
      ),
    );
    fc.assert(
      fc.property(sample, ([address, lines, lineEnd]) => {
        const ownLine = `a=candidate:9 1 udp 1 ${relayAddress} 7 typ relay raddr 0.0.0.0 rport 0`;
        const kept = relayOnlyDescription([...lines, ownLine].join(lineEnd));
        expect(kept).not.toContain(address);
        expect(kept).toContain(ownLine);
      }),
      fuzz(2_000),
    );
  });

  test("[PRIV-5] leaves no address but the relay's in a trickled candidate", () => {
    const sample = foreignAddress.chain((address) =>
      fc.tuple(fc.constant(address), hostileLine(address), fc.option(fc.constantFrom(address, "0", "audio"))),
    );
    fc.assert(
      fc.property(sample, ([address, line, sdpMid]) => {
        const candidate = { candidate: line.replace(/^a=/i, ""), sdpMid, sdpMLineIndex: 0 };
        const kept = relayOnlySignal({ type: "candidates", generation: 0, candidates: [candidate] });
        expect(JSON.stringify(kept)).not.toContain(address);
      }),
      fuzz(2_000),
    );
  });

  test("accepts any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => {
        expect(relayOnlyDescription(text)).toBeTypeOf("string");
      }),
      fuzz(100),
    );
  });
});
