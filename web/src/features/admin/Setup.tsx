import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import { adminSetup, type SetupItem } from "@fava/wire/endpoints/operator.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatNumber, isolateLeftToRight } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { relaysOf, testNetwork } from "#lib/media/network-test.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { Button } from "#ui/Button.tsx";
import styles from "./Setup.module.css";

/** Pages of the documents that come with the source, with their sections. */
const paths: Readonly<Record<SetupItem, string>> = {
  identity: "docs/operations/configure.md#sign-in",
  payments: "docs/operations/payments.md#set-up-a-provider",
  contact: "docs/operations/configure.md#countries-languages-and-contact",
  relay: "docs/operations/install.md#3-turn",
  mail: "docs/operations/configure.md#mails",
  moderators: "docs/operations/moderation.md#the-desk",
  legal: "docs/legal-texts.md",
};

/** What the site still lacks, each with its page of the documents and a way to try it. What is done is folded away. */
export function Setup(): ReactNode {
  const t = useT();
  const items = useEndpointQuery(adminSetup, {}).data?.items;
  if (!items) return null;
  const done = items.filter((one) => one.is_done);
  return (
    <section className={styles.setup}>
      <h2>{t("admin.setup.title")}</h2>
      <ul>
        {items
          .filter((one) => !one.is_done)
          .map(({ item }) => (
            <Item key={item} item={item} isDone={false} />
          ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{t("admin.setup.done", { count: formatNumber(done.length) })}</summary>
          <ul>
            {done.map(({ item }) => (
              <Item key={item} item={item} isDone />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Item({ item, isDone }: { item: SetupItem; isDone: boolean }): ReactNode {
  const t = useT();
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li>
      <Icon size={20} aria-hidden="true" />
      <p>
        <b>{t(`admin.setup.${item}`)}</b>
        {!isDone && <small>{t("admin.setup.how", { path: isolateLeftToRight(paths[item]) })}</small>}
      </p>
      {item === "relay" && <RelayTest />}
      {item === "payments" && (
        <Button kind="quiet" size="small" onClick={() => void openOverlay("shop")}>
          {t("shop.title")}
        </Button>
      )}
      {item === "mail" && (
        <Button kind="quiet" size="small" onClick={() => void openOverlay("account")}>
          {t("account.title")}
        </Button>
      )}
    </li>
  );
}

/** Allocates a relay from this browser, and sends media through it. */
function RelayTest(): ReactNode {
  const t = useT();
  const [outcome, setOutcome] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const running = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    return () => controller.abort();
  }, []);
  async function run(): Promise<void> {
    const { signal } = running.current;
    setRunning(true);
    setOutcome(null);
    try {
      const { iceServers } = await request(testRoomSign, { network: 1 }, { signal });
      const finding = await testNetwork(iceServers, signal);
      const { udp, tcp } = relaysOf(iceServers);
      const addresses = [...udp, ...tcp].flatMap(({ urls }) => urls).join(" ");
      const key: Key = finding ? `network.${finding.carries}` : "network.noRelay";
      setOutcome(t(key, { addresses: isolateLeftToRight(addresses) }));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestFailure)) throw error;
      setOutcome(t("network.tooOften"));
    }
    setRunning(false);
  }
  return (
    <>
      <Button kind="quiet" size="small" loading={isRunning} onClick={() => void run()}>
        {t("network.test")}
      </Button>
      <small role="status">{outcome}</small>
    </>
  );
}
