import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { codes } from "@fava/wire/codes.ts";
import { testRoomSign } from "@fava/wire/endpoints/match.ts";
import { adminMailTest, adminSetup, type SetupItem } from "@fava/wire/endpoints/operator.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request } from "#lib/api/request.ts";
import { formatNumber, isolateLeftToRight } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { relaysOf, testNetwork } from "#lib/media/network-test.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useEndpointMutation, useEndpointQuery } from "#lib/query.ts";
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

/** Items with a test, which stay visible when they are done. */
const tests: Readonly<Partial<Record<SetupItem, () => ReactNode>>> = {
  relay: RelayTest,
  payments: PurchaseTest,
  mail: MailTest,
};

/** What the site still lacks, each with its page of the documents or a test. What is done and has no test is folded away. */
export function Setup(): ReactNode {
  const t = useT();
  const items = useEndpointQuery(adminSetup, {}).data?.items;
  if (!items) return null;
  const isFolded = ({ item, is_done }: (typeof items)[number]) => is_done && !tests[item];
  const folded = items.filter(isFolded);
  const open = items.filter((one) => !isFolded(one)).toSorted((a, b) => Number(a.is_done) - Number(b.is_done));
  return (
    <section className={styles.setup}>
      <h2>{t("admin.setup.title")}</h2>
      <ul>
        {open.map(({ item, is_done }) => (
          <Item key={item} item={item} isDone={is_done} />
        ))}
      </ul>
      {folded.length > 0 && (
        <details>
          <summary>{t("admin.setup.done", { count: formatNumber(folded.length) })}</summary>
          <ul>
            {folded.map(({ item }) => (
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
  const Test = tests[item];
  return (
    <li>
      <Icon size={20} aria-hidden="true" />
      <p>
        <b>{t(`admin.setup.${item}`)}</b>
        <small>
          {isDone ? t("authority.outcome.done") : t("admin.setup.how", { path: isolateLeftToRight(paths[item]) })}
        </small>
      </p>
      {Test && <Test />}
    </li>
  );
}

function PurchaseTest(): ReactNode {
  const t = useT();
  return (
    <Button kind="quiet" size="small" onClick={() => void openOverlay("shop")}>
      {t("shop.title")}
    </Button>
  );
}

/** Sends a mail to the administrator's own address, and shows what the mail server answered. */
function MailTest(): ReactNode {
  const t = useT();
  const { data, error, isPending, mutate } = useEndpointMutation(adminMailTest);
  // A missing response shows a toast.
  const failed = error?.code ? t(error.code === codes.slowDown ? "people.tooFast" : "error.server") : null;
  return (
    <>
      <Button kind="quiet" size="small" loading={isPending} onClick={() => mutate({})}>
        {t("admin.mailTest.send")}
      </Button>
      {data?.outcome === "no_address" && (
        <Button kind="quiet" size="small" onClick={() => void openOverlay("account")}>
          {t("account.title")}
        </Button>
      )}
      <small role="status">
        {data ? t(`admin.mailTest.${data.outcome}`, { account: t("account.title") }) : failed}
      </small>
    </>
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
