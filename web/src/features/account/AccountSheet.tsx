import { Trash2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { DataCopyPart } from "./DataCopyPart.tsx";
import { DeletionFacts } from "./DeletionFacts.tsx";
import { SignIns } from "./SignIns.tsx";
import { type LoadedAccount, useAccount } from "./use-account.ts";
import styles from "./Account.module.css";

/** Account and data: sign-ins, a copy of everything, and deletion (rules DATA-50 to DATA-57). */
export function AccountSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const user = useUser();
  const { state, retry } = useAccount();
  const close = () => closeOverlay("account");
  return (
    <Sheet
      widthPx={1040}
      fullScreen={isMobile}
      title={t("account.title")}
      onBack={isMobile ? close : undefined}
      closable={!isMobile}
      maskClosable
      onClose={close}
    >
      {user && (
        <div>
          <Part title={t("account.signIns")} text={t("account.signInsText")}>
            <Loaded state={state} onRetry={retry} show={(info) => <SignIns rows={info.sessions} user={user} />} />
          </Part>
          <Part title={t("account.copy")} text={t("account.copyText")}>
            <DataCopyPart userId={user.user_id} />
          </Part>
          <Part title={t("account.delete")} text={t("account.deleteText")}>
            <Loaded state={state} onRetry={retry} show={(info) => <DeletionFacts deletion={info.deletion} long />} />
            <p className={styles.small}>{t("account.kept")}</p>
            <Button
              kind="outline"
              size="small"
              pill
              className={styles.delete ?? ""}
              icon={<Trash2 size={17} aria-hidden="true" />}
              onClick={() => void openOverlay("delete-account")}
            >
              {t("account.deleteOpen")}
            </Button>
          </Part>
        </div>
      )}
    </Sheet>
  );
}

function Part(props: { title: string; text: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <div>
        <h3 id={id}>{props.title}</h3>
        <p>{props.text}</p>
      </div>
      <div>{props.children}</div>
    </section>
  );
}

function Loaded(props: {
  state: LoadedAccount;
  onRetry: () => void;
  show: (info: Extract<LoadedAccount, { status: "ready" }>["info"]) => ReactNode;
}): ReactNode {
  const t = useT();
  switch (props.state.status) {
    case "loading":
      return <Skeleton height="140px" />;
    case "failed":
      return (
        <p className={styles.trouble} role="status">
          {t("account.loadFailed")}
          <Button size="small" onClick={props.onRetry}>
            {t("common.retry")}
          </Button>
        </p>
      );
    case "ready":
      return props.show(props.state.info);
  }
}
