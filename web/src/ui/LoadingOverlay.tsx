import { useEffect, useState, type ReactNode } from "react";
import { loadingDelayMs } from "@fava/wire/limits.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { useLoading, type ShownLoading } from "#ui/loading-store.ts";
import { LogoMark } from "#ui/Logo.tsx";
import { ModalCover } from "#ui/ModalCover.tsx";
import { ProgressLine } from "#ui/ProgressLine.tsx";
import styles from "#ui/LoadingOverlay.module.css";

/** Shows the requests of `showLoading`. */
export function LoadingOverlay(): ReactNode {
  const loading = useLoading();
  const [late, setLate] = useState(false);
  const present = loading !== undefined;
  useEffect(() => {
    if (!present) return;
    const timer = setTimeout(() => setLate(true), loadingDelayMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [present]);
  return loading && late ? <Cover loading={loading} /> : null;
}

function Cover({ loading }: { loading: ShownLoading }): ReactNode {
  const t = useT();
  return (
    <ModalCover className={styles.cover} labelledBy="loading-text" onEscape={loading.onCancel}>
      <output className={styles.card}>
        <LogoMark size={56} plain />
        <p id="loading-text">{loading.text}</p>
        <ProgressLine />
        {loading.onCancel && (
          <Button kind="plain" size="small" onClick={loading.onCancel}>
            {t("common.cancel")}
          </Button>
        )}
      </output>
    </ModalCover>
  );
}
