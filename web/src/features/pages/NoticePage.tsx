import { type ReactNode, useSyncExternalStore } from "react";
import { goTo, useAddress } from "#lib/address.ts";
import { useT } from "#lib/i18n.ts";
import { NoticeForm } from "./NoticeForm.tsx";
import { NoticeStatus } from "./NoticeStatus.tsx";
import { PageFrame } from "./PageFrame.tsx";
import { noticeAddress, noticeTokenIn } from "./notice-form.ts";
import { useFacts } from "./operator-facts.ts";
import { pictureServices } from "./picture-services.ts";
import { usePageHead } from "./use-page-head.ts";
import styles from "./Notice.module.css";

/** `/notice`: the form for anybody, and with a token in the fragment the state of a sent notice. */
export function NoticePage(): ReactNode {
  usePageHead("/notice");
  const hash = useFragment();
  const token = noticeTokenIn(hash);
  return (
    <PageFrame>
      <main className={styles.main}>
        {token === null ? (
          <NoticeForm key={hash} hash={hash} onSent={(sent) => goTo(noticeAddress(sent.token), { replace: true })} />
        ) : (
          <NoticeStatus key={token} token={token} />
        )}
        <OtherHelp />
      </main>
    </PageFrame>
  );
}

/** The fragment of the address. While the page is hydrated it is empty, since the prerendered page knows none. */
function useFragment(): string {
  const { hash } = useAddress();
  const isHydrated = useSyncExternalStore(neverChanges, yes, no);
  return isHydrated ? hash : "";
}

const neverChanges = () => () => undefined;
const yes = () => true;
const no = () => false;

/** What this form cannot do, and who else helps. */
function OtherHelp(): ReactNode {
  const t = useT();
  const { email } = useFacts();
  return (
    <aside className={styles.aside}>
      <p>{t("notice.calls")}</p>
      <p className={styles.links}>
        {pictureServices.map(([name, address]) => (
          <a key={name} href={address} rel="noopener noreferrer" lang="en">
            {name}
          </a>
        ))}
      </p>
      <p>
        {t("notice.mail")}{" "}
        <a href={`mailto:${email}`}>
          <bdi>{email}</bdi>
        </a>
      </p>
    </aside>
  );
}
