import { type ReactNode, useEffect, useRef, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import type { IceServer } from "@fava/wire/pushes.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { isolateLeftToRight } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { type NetworkFinding, relaysOf, testNetwork } from "#lib/media/network-test.ts";
import { Button } from "#ui/Button.tsx";
import { Note } from "#ui/Note.tsx";
import styles from "./CameraPreview.module.css";

interface Outcome {
  readonly isGood: boolean;
  readonly text: string;
}

/** What a call could send over this network, tested on a press. */
export function NetworkTest(): ReactNode {
  const t = useT();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController | null>(null);
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => () => running.current?.abort(), []);
  // The result is at the end of a dialog that may be longer than the screen: scrolls to it.
  useEffect(() => {
    if (isRunning || outcome) said.current?.scrollIntoView({ block: "nearest" });
  }, [isRunning, outcome]);
  async function run(): Promise<void> {
    const { signal } = (running.current = new AbortController());
    setOutcome(null);
    setIsRunning(true);
    const found = await test(t, signal);
    if (signal.aborted) return;
    setIsRunning(false);
    setOutcome(found);
  }
  return (
    <section className={styles.network} aria-labelledby="network-test">
      <div>
        <b id="network-test">{t("network.title")}</b>
        <small>{t("network.hint")}</small>
      </div>
      <Button size="small" loading={isRunning} onClick={() => void run()}>
        {t("network.test")}
      </Button>
      <div ref={said} role="status" className={styles.finding}>
        {isRunning && <span>{t("network.testing")}</span>}
        {outcome && <Note tone={outcome.isGood ? "info" : "warning"}>{outcome.text}</Note>}
      </div>
    </section>
  );
}

/** Resolves to null if it was cancelled, or if the server did not respond, which a toast shows. */
async function test(t: Translate, signal: AbortSignal): Promise<Outcome | null> {
  try {
    const { iceServers } = await request(testRoomSign, { network: 1 }, { signal });
    const finding = await testNetwork(iceServers, signal);
    return finding ? outcomeOf(t, finding, iceServers) : { isGood: true, text: t("network.noRelay") };
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof RequestFailure)) throw error;
    if (error.code === 0) return null;
    return { isGood: false, text: t(error.code === codes.slowDown ? "network.tooOften" : "error.server") };
  }
}

function outcomeOf(t: Translate, finding: NetworkFinding, iceServers: readonly IceServer[]): Outcome {
  const { carries, overTcp } = finding;
  if (carries === "nothing")
    return { isGood: false, text: t("network.nothing", { addresses: addressesOf(iceServers).join(" ") }) };
  const text = t(`network.${carries}`);
  return { isGood: carries === "picture", text: overTcp ? `${text} ${t("network.overTcp")}` : text };
}

/**
 * The addresses of the relays, for network administrators: turn:relay.example.com:3478?transport=udp becomes
 * relay.example.com:3478.
 */
function addressesOf(iceServers: readonly IceServer[]): string[] {
  const { udp, tcp } = relaysOf(iceServers);
  const urls = [...udp, ...tcp].flatMap((server) => server.urls);
  const addresses = urls.map((url) => url.replace(/^\w+:/, "").replace(/\?.*$/, ""));
  return [...new Set(addresses)].map(isolateLeftToRight);
}
