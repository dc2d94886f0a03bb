import { House, LifeBuoy, Video } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { buttonClass } from "#ui/Button.tsx";
import { Link } from "#ui/Link.tsx";
import { EmptyRoom } from "./EmptyRoom.tsx";
import { PageFrame } from "./PageFrame.tsx";
import styles from "./NotFound.module.css";

/** An unknown path, or one that the person's role does not open: the same words for both (rule GUARD-2). */
export function NotFound(): ReactNode {
  const t = useT();
  useDocumentTitle(t("page.notFound.title"));
  return (
    <PageFrame bare>
      <main className={styles.main}>
        <div>
          <p className={styles.code}>404</p>
          <h1>{t("page.notFound.title")}</h1>
          <p className={styles.lead}>{t("page.notFound.text")}</p>
          <nav className={styles.ways} aria-label={t("page.notFound.ways")}>
            <Link to="/" className={buttonClass({ kind: "go", size: "medium" })}>
              <Video size={20} fill="currentColor" aria-hidden="true" />
              {t("page.notFound.meet")}
            </Link>
            <Link to="/" className={buttonClass({ kind: "quiet", size: "medium" })}>
              <House size={20} aria-hidden="true" />
              {t("page.notFound.home")}
            </Link>
            <Link to="/safety" className={buttonClass({ kind: "quiet", size: "medium" })}>
              <LifeBuoy size={20} aria-hidden="true" />
              {t("page.safety")}
            </Link>
          </nav>
        </div>
        <EmptyRoom className={styles.art ?? ""} />
      </main>
    </PageFrame>
  );
}
