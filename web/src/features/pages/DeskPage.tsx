import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { EmptyRoom } from "./EmptyRoom.tsx";
import { PageFrame } from "./PageFrame.tsx";
import styles from "./NotFound.module.css";

/** What moderators see on their routes until the desk is there. */
export function DeskPage(): ReactNode {
  const t = useT();
  useDocumentTitle(t("page.desk.title"));
  return (
    <PageFrame bare>
      <main className={styles.main}>
        <div>
          <h1>{t("page.desk.title")}</h1>
          <p className={styles.lead}>{t("page.desk.text")}</p>
        </div>
        <EmptyRoom className={styles.art ?? ""} />
      </main>
    </PageFrame>
  );
}
