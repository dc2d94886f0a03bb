import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { AppealForm } from "./AppealForm.tsx";
import { AppealProgress } from "./AppealProgress.tsx";
import { DecisionFacts } from "./DecisionFacts.tsx";
import { StillYours } from "./StillYours.tsx";
import { useAppeal } from "./use-appeal.ts";
import styles from "./Appeal.module.css";

/** `/appeal`: works with the token of the ban alone, also while banned (rules APPEAL-50 to APPEAL-55). */
export function AppealPage(): ReactNode {
  const t = useT();
  useDocumentTitle(t("appeal.title"));
  const { state, retry, replace } = useAppeal();
  switch (state.kind) {
    case "loading":
      return (
        <main className={styles.main} aria-busy="true">
          <h1 className="visually-hidden">{t("appeal.title")}</h1>
          <Skeleton height="320px" />
        </main>
      );
    case "none":
      return (
        <main className={styles.narrow}>
          <h1>{t("appeal.noneTitle")}</h1>
          <p className={styles.lead}>{t("appeal.noneText")}</p>
          <a href="/" className={buttonClass({ kind: "ink" })}>
            {t("appeal.signIn")}
          </a>
        </main>
      );
    case "failed":
      return (
        <main className={styles.narrow}>
          <h1>{t("appeal.title")}</h1>
          <p role="alert">{t("appeal.loadFailed")}</p>
          <Button kind="ink" onClick={retry}>
            {t("common.retry")}
          </Button>
        </main>
      );
    case "ready": {
      const { status, token } = state;
      return (
        <main className={styles.main}>
          <div className={styles.column}>
            {status.appeal ? <AppealProgress appeal={status.appeal} /> : <AppealForm token={token} onSent={replace} />}
          </div>
          <DecisionFacts status={status} />
          <StillYours token={token} status={status} />
        </main>
      );
    }
  }
}
